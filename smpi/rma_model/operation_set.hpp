// SPDX-License-Identifier: MIT
//
// A set of operations. Most ranks have numbered prefixes of their operations in it, so it has runs of numbers.
//
// Threads: none.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace rehearse::smpi::model {

// Of a record: its actor, and its number among the actor's operations or among its other records.
struct RecordId {
  static constexpr std::uint32_t operation_bit = std::uint32_t{1} << 31;

  std::uint32_t actor = 0;
  std::uint32_t number = 0;  // of operations: with operation_bit
  auto operator<=>(const RecordId&) const = default;

  bool is_operation() const { return (number & operation_bit) != 0; }
};

class OperationSet {
 public:
  // Numbers from `begin` on, before `end`.
  struct Run {
    std::uint32_t begin = 0, end = 0;
    bool operator==(const Run&) const = default;
  };
  using Runs = std::vector<Run>;  // ascending, with gaps between them

  bool contains(RecordId id) const;
  // The end of the run that contains the operation, as RecordId::number. It must be in the set.
  std::uint32_t end_of_run(RecordId id) const;
  bool insert(RecordId id);  // whether it is new
  void erase(RecordId id);
  void join(const OperationSet& other);
  bool operator==(const OperationSet&) const = default;

  // By actor; no entry is empty.
  const std::map<std::uint32_t, Runs>& runs() const { return runs_; }
  // Adds the runs of an actor that has none.
  void add(std::uint32_t actor, Runs runs) { runs_.emplace(actor, std::move(runs)); }

 private:
  std::map<std::uint32_t, Runs> runs_;
};

}  // namespace rehearse::smpi::model
