// SPDX-License-Identifier: MIT
//
// Collects the costs of executions.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "mc/costs.hpp"

namespace rehearse::mc::records {
class Writer;
class Reader;
}  // namespace rehearse::mc::records

namespace rehearse::mc::verdict {

// The cost of an execution, as sent to the process that makes the verdict.
struct Tag {
  std::optional<double> cost;
  Schedule schedule;    // if the cost is a new extreme of the sending process; otherwise empty
  bool failed = false;  // there is no cost because an actor fails
};

// The least and the greatest cost so far.
class Range {
 public:
  // Whether the cost is less, or greater, than all before.
  bool widen(double cost) {
    const bool is_new = cost < least_ || cost > most_;
    if (cost < least_) least_ = cost;
    if (cost > most_) most_ = cost;
    return is_new;
  }

 private:
  double least_ = std::numeric_limits<double>::infinity(), most_ = -std::numeric_limits<double>::infinity();
};

class PriceList {
 public:
  static constexpr std::size_t parts = 10;  // intervals of the histogram

  void add(const Tag& tag);
  std::optional<Costs> costs() const;  // nothing if no execution was asked for its cost

  void save(records::Writer& to) const;
  void load(records::Reader& from);

 private:
  std::vector<double> costs_;
  std::uint64_t without_ = 0, failed_ = 0;
  Extreme least_, most_;
};

void put(records::Writer& to, const Tag& tag);
void get(records::Reader& from, Tag& tag);

}  // namespace rehearse::mc::verdict
