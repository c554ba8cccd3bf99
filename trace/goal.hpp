// SPDX-License-Identifier: MIT
//
// GOAL schedules: for each rank a graph of sends, receives and calculations.
//
// Forms:   text and binary, as LogGOPSim's tools read and write them; docs/traces.md has the grammar.
// Layout:  the operations of a rank are consecutive, in the order of the file. Edges are kept with the operation that
//          others wait for, in the order of the file: this order decides which of two operations comes first.
// Units:   bytes, nanoseconds.
// Errors:  FILE:LINE (binary: FILE, rank and operation), the value found and what is accepted.
// Source:  T. Hoefler, C. Siebert, A. Lumsdaine, "Group Operation Assembly Language", ICPP 2009, for the language.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/support/large_vector.hpp"
#include "simcore/support/result.hpp"
#include "trace/format.hpp"

namespace rehearse::trace {

enum class GoalKind : std::uint8_t { send = 1, receive = 2, calculation = 3 };  // the numbers of the binary form

// Any source, any tag.
inline constexpr std::uint32_t goal_any = std::numeric_limits<std::uint32_t>::max();

struct GoalOperation {
  std::uint64_t size = 0;  // of a calculation: its duration
  std::uint32_t peer = 0;  // rank
  std::uint32_t tag = 0;
  std::uint32_t needs = 0;        // edges to it: it may begin after so many other operations are done or have begun
  std::uint32_t first_done = 0;   // index of the first successor that waits until this is done
  std::uint32_t first_begun = 0;  // of the first one that waits until this begins; the next operation's follow
  GoalKind kind = GoalKind::calculation;
  std::uint8_t cpu = 0;
  std::uint8_t nic = 0;
};

struct GoalSchedule {
  struct Block {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  // An operation and its message are events with indices of 32 bits. The rest is room for the last collective of a
  // trace that is converted.
  static constexpr std::uint64_t most_operations = (std::uint64_t{1} << 31) - (std::uint64_t{1} << 26);

  std::string format;                     // "goal", "goal-binary"; of a converted trace: its format
  std::vector<std::string> files;         // one, or one for each rank
  std::vector<Block> blocks;              // by rank
  LargeVector<GoalOperation> operations;  // and one that is none behind the last
  LargeVector<std::uint32_t> successors;  // indices of operations
  LargeVector<std::uint32_t> lines;       // by operation; empty: the form has none
  std::uint64_t actions = 0;              // of the file: operations, or the actions of a converted trace

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(blocks.size()); }
  const std::string& file(std::uint32_t rank) const { return files.size() == 1 ? files.front() : files[rank]; }
  std::uint32_t line(std::uint32_t operation) const { return lines.empty() ? 0 : lines[operation]; }
  // Operations that wait until this one is done, or until it begins.
  std::span<const std::uint32_t> after_done(std::uint32_t operation) const {
    const GoalOperation& at = operations[operation];
    return {successors.data() + at.first_done, at.first_begun - at.first_done};
  }
  std::span<const std::uint32_t> after_begun(std::uint32_t operation) const {
    const std::uint32_t begin = operations[operation].first_begun;
    return {successors.data() + begin, operations[operation + 1].first_done - begin};
  }
};

// "send 8b to 1 tag 5 cpu 1".
std::string text_of(const GoalOperation& operation);

// The form of a file, by its beginning. Nothing: it is no GOAL schedule. 4 KiB suffice.
std::optional<Format> goal_form(std::string_view beginning);

// Text or binary, whichever it is.
Result<GoalSchedule> read_goal(const std::string& path);
// The same without a file; `path` is for messages.
Result<GoalSchedule> read_goal_text(std::string_view text, const std::string& path);
Result<GoalSchedule> read_goal_binary(std::string_view bytes, const std::string& path);

// Calculations by the factor of their rank, rounded; without factors: unchanged.
void scale_calculations(GoalSchedule& schedule, std::span<const double> factor_of_rank);

void write_goal_text(const GoalSchedule& schedule, std::ostream& out);
void write_goal_binary(const GoalSchedule& schedule, std::ostream& out);

}  // namespace rehearse::trace
