// SPDX-License-Identifier: MIT
//
// Makes the verdict: counts executions, keeps one finding per cause, and decides when to stop.
//
// The executions come in the order of a depth-first exploration by one process, however many processes explore. The
// verdict depends on these executions and their order only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "mc/explore.hpp"
#include "mc/verdict/branchings.hpp"
#include "mc/verdict/class_set.hpp"
#include "mc/verdict/execution.hpp"
#include "mc/verdict/limits.hpp"

namespace rehearse::mc::records {
class Writer;
class Reader;
}  // namespace rehearse::mc::records

namespace rehearse::mc::verdict {

class Ledger {
 public:
  explicit Ledger(const ExploreOptions& options) : options_(options) {}

  // Counts the next execution. False: the exploration must stop here.
  bool take(Execution& execution);
  // Optional: take() will be called for this execution soon, and is faster then.
  void expect(const Execution& execution) const;

  // The exploration stops for this reason; it can continue later. Returns false.
  bool stop(std::string reason);
  // The exploration is incomplete for this reason, also if it continues.
  void leave_out(const std::string& reason);

  // Whether the bounds let the exploration continue.
  bool goes_on();

  // One race for each place, in the order of the exploration.
  const std::vector<reduction::Race>& races() const { return races_; }

  // The complete state except the reasons of stop().
  void save(records::Writer& to) const;
  void load(records::Reader& from);

  void add_duplicates(std::uint64_t executions) { verdict_.duplicates += executions; }
  void add_walk() { ++verdict_.walks; }
  void add_limits(const Limits& limits) { limits_.join(limits); }
  void add_operations(std::uint64_t operations) { verdict_.operations += operations; }
  void add_application_runs(std::uint64_t runs) { verdict_.application_runs += runs; }

  std::uint64_t executions() const { return verdict_.executions; }
  std::uint64_t operations() const { return verdict_.operations; }
  bool is_exhaustive() const { return verdict_.exhaustive; }
  bool has_error() const { return first_error_.has_value(); }

  Verdict finish();  // at most once, at the end

 private:
  struct Known {
    Cause cause;
    std::vector<bool> under;  // by policy: whether the end occurs under it
  };

  void count(const Execution& execution);
  void take(std::vector<reduction::Race>& races);
  void finish(const Known& known);
  bool only_synchronising(const Known& known) const;

  const ExploreOptions& options_;
  Verdict verdict_;
  std::vector<std::string> stopped_by_;
  Limits limits_;
  ClassSet classes_;
  PriceList prices_;
  Branchings branchings_;
  std::unordered_map<history::Hash128, std::size_t, history::HashOfHash> by_shape_;
  std::vector<Known> known_;
  std::vector<reduction::Race> races_;
  std::optional<std::uint64_t> first_error_;
};

}  // namespace rehearse::mc::verdict
