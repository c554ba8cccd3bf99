// SPDX-License-Identifier: MIT
//
// The content of a trace of any format, without a replay: a summary, and the comparison of two.
//
// Units:  bytes, flops, nanoseconds.
// Errors: the file, in one line.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simcore/support/result.hpp"
#include "trace/goal_conversion.hpp"

namespace rehearse::trace {

struct KindCount {
  std::string kind;
  std::uint64_t actions = 0;
  std::uint64_t bytes = 0;  // of sent messages and contributions to collectives
  double flops = 0;
  std::uint64_t nanoseconds = 0;  // of calculations in GOAL
};

struct Summary {
  std::string format;
  std::uint32_t ranks = 0;
  std::string about;  // JSON; empty: unknown
  std::uint64_t actions = 0;
  std::vector<KindCount> kinds;              // those that occur
  std::vector<std::uint64_t> communicators;  // members of each; of a recording: of each context of collectives
  std::vector<std::string> unsupported;      // actions that nobody replays; those behind them are not counted
  // Of a recording.
  std::uint64_t bytes = 0, blocks = 0, sites = 0;
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
  std::array<std::string, 2> place;  // FILE:LINE; empty: unknown
};
// The first difference of each rank. Unless `with_volumes`, computation, pauses, polls without success and reads of the
// clock are left out: two runs of one program differ in them.
// Formats: two recordings are compared as they are. A GOAL schedule is compared with the schedule of the other trace,
//          which `conversion` is for. Other pairs are compared as calls: those that a recording becomes.
Result<std::vector<TraceDifference>> compare_traces(const std::string& one, const std::string& other, bool with_volumes,
                                                    const GoalConversion& conversion);

// ---- for the inspection of each format

struct RanksOf {
  const std::string& path;
  std::uint32_t ranks = 0;
};
// Nothing: they have the same number of ranks.
std::optional<Error> other_ranks(const RanksOf& one, const RanksOf& other);

}  // namespace rehearse::trace
