// SPDX-License-Identifier: MIT
//
// See losses.hpp.
#include "trace/losses.hpp"

#include <algorithm>
#include <string_view>

namespace rehearse::trace {

namespace {

struct LossWords {
  std::string_view what;
  std::string_view unit;  // singular
  std::string_view fate;
  bool changes_dates;
};

// By Loss.
constexpr std::array<LossWords, loss_kinds> loss_words = {{
    {"places of calls", "action", "left out", false},
    {"receives with a wildcard", "action", "written with the source and the tag of the message that it took", false},
    {"waitany and waitsome", "action", "written as waits for the requests that completed", false},
    {"reads of the clock", "action", "written as pauses of their duration", false},
    {"choices of the driver", "action", "left out", false},
    {"operators and types of reductions", "action", "written as MPI_BOR of integers", false},
    {"tests with success", "action", "written as waits", false},
    {"exit statuses", "rank", "left out", false},
    {"cancelled receives", "action", "left out", false},
    {"calls without a name in the format", "action", "written as collectives with the same messages", false},
    {"collectives whose members do not agree on a count or type", "action", "written as if they agreed", false},
    {"tests without success", "action", "left out", true},
    {"probes", "action", "left out", true},
    {"output", "action", "left out", true},
    {"freed requests", "request", "open until the end of the rank", true},
    {"requests that nobody waits for", "request", "open until the end of the rank", true},
    {"receives that took no message", "action", "left out", true},
    {"waits for a later one of several requests with the same name", "action", "written as a wait for the first", true},
    {"reductions", "action", "written without a volume; --reduction-flops 1 repeats that of the recording", true},
    {"volumes of nonblocking reductions behind a waitany", "action", "left out", true},
    {"operators that do not commute", "action", "written as one that does", true},
    {"MPI_Reduce_scatter_block", "action", "written as reducescatter", true},
    {"sizes that other ranks contribute", "action", "unknown, written as 0", true},
    {"failures", "rank", "left out", true},
    {"stopped ranks", "rank", "written up to the action at which the recorded run stopped", true},
    {"the end of the recording", "rank", "missing in the file", true},
    {"places of calls that make communicators", "communicator", "made at the start", true},
    {"requests that nobody waits for in the trace", "request", "waited for at the end of the rank", true},
    {"collectives of which the archive has only the sum of the parts", "action", "written with equal parts", true},
    {"messages that nobody received", "message", "left out", false},
    {"messages that nobody received", "message", "written as sends without a receive", false},
}};

}  // namespace

void Losses::add(const Losses& other) {
  for (std::size_t i = 0; i < loss_kinds; ++i) counts_[i] += other.counts_[i];
}

bool Losses::any() const {
  return std::ranges::any_of(counts_, [](std::uint64_t count) { return count > 0; });
}

bool Losses::may_change_dates() const {
  for (std::size_t i = 0; i < loss_kinds; ++i)
    if (counts_[i] > 0 && loss_words[i].changes_dates) return true;
  return false;
}

std::vector<std::string> Losses::lines() const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < loss_kinds; ++i) {
    if (counts_[i] == 0) continue;
    const LossWords& words = loss_words[i];
    lines.push_back(std::string(words.what) + ": " + std::to_string(counts_[i]) + " " + std::string(words.unit) +
                    (counts_[i] == 1 ? "" : "s") + " " + std::string(words.fate) +
                    (words.changes_dates ? "; a replay can have other dates" : ""));
  }
  return lines;
}

}  // namespace rehearse::trace
