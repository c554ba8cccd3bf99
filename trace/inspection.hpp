// SPDX-License-Identifier: MIT
//
// The content of a recording, without a replay: a summary, and the comparison of two.
//
// Errors: the file, in one line.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simcore/support/result.hpp"

namespace rehearse::trace {

struct KindCount {
  std::string kind;
  std::uint64_t actions = 0;
  std::uint64_t bytes = 0;  // of messages, contributions to collectives, and capacities of receives
  double flops = 0;
};

struct Summary {
  std::uint32_t ranks = 0;
  std::string about;  // JSON
  std::uint64_t actions = 0, bytes = 0, blocks = 0;
  std::vector<KindCount> kinds;              // those that occur
  std::vector<std::uint64_t> communicators;  // members of each context of collectives
  std::uint64_t sites = 0;
  std::uint64_t late_wildcards = 0, withdrawn = 0;
  std::uint64_t unanswered = 0;        // actions at which the recorded run stopped
  std::optional<std::string> cut_off;  // the file is not whole
};
Result<Summary> summarise(const std::string& path);

// The sends of a recording with more than `above` and at most `to` bytes.
Result<std::uint64_t> count_sends(const std::string& path, std::uint64_t above, std::uint64_t to);

struct TraceDifference {
  std::uint32_t rank = 0;
  std::array<std::uint64_t, 2> number{};  // of the action, from 1 on; 0: it is not there
  std::array<std::string, 2> text;
  std::array<std::string, 2> file;  // empty: unknown
  std::array<std::uint32_t, 2> line{};
};
// The first difference of each rank. Unless `with_volumes`, application code, polls without success and reads of the
// clock are left out: two runs of one program differ in them.
Result<std::vector<TraceDifference>> compare_traces(const std::string& one, const std::string& other,
                                                    bool with_volumes);

}  // namespace rehearse::trace
