// SPDX-License-Identifier: MIT
//
// The facts that the conversion of a trace leaves out, because the other format cannot express them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace rehearse::trace {

// The order is that of the report.
enum class Loss : std::uint8_t {
  call_places,
  wildcards,
  chosen_waits,
  clock_reads,
  choices,
  operations_of_reductions,
  answered_tests,
  exit_statuses,
  cancelled_receives,
  other_collectives,
  disagreements,
  failed_tests,
  probes,
  output,
  freed_requests,
  unfinished_requests,
  unmatched_receives,
  ambiguous_waits,
  reduction_volumes,
  waited_volumes,
  operators,
  block_reductions,
  unknown_counts,
  failures,
  stopped_ranks,
  cut_off,
  places_of_splits,
  late_waits,
  equal_parts,
  unreceived_messages,
  sends_alone
};
inline constexpr std::size_t loss_kinds = 31;

class Losses {
 public:
  void add(Loss loss, std::uint64_t count = 1) { counts_[static_cast<std::size_t>(loss)] += count; }
  void add(const Losses& other);
  void drop(Loss loss) { counts_[static_cast<std::size_t>(loss)] = 0; }

  std::uint64_t count(Loss loss) const { return counts_[static_cast<std::size_t>(loss)]; }
  bool any() const;
  // Whether a replay of the other file can have other dates for these reasons.
  bool may_change_dates() const;

  // A line for each kind, without end of line. "other dates" is in those of may_change_dates().
  std::vector<std::string> lines() const;

 private:
  std::array<std::uint64_t, loss_kinds> counts_{};
};

}  // namespace rehearse::trace
