// SPDX-License-Identifier: MIT
//
// The records that a partner has, so that news for it need not repeat them.
//
// Method:  a record of which nothing more can become known is final. The records of an actor are numbered, operations
//          apart, so the final ones up to the first gap are one number for each row (actor, and whether operations).
// Threads: none. Copies share their entries (SharedMap).
#pragma once

#include <cstdint>
#include <vector>

#include "smpi/rma_model/records.hpp"
#include "smpi/rma_model/shared_map.hpp"

namespace rehearse::smpi::model {

// By row (2 * actor, plus 1 for operations): all records with smaller numbers, in their final versions. Rows at the end
// may be left out: of them there is none.
using HeldRows = std::vector<std::uint32_t>;

// What both have, and what one of them has.
HeldRows common_rows(const HeldRows& a, const HeldRows& b);
HeldRows joined_rows(const HeldRows& a, const HeldRows& b);

class HeldRecords {
 public:
  HeldRecords() = default;
  explicit HeldRecords(HeldRows rows) : rows_(std::move(rows)) {}

  // Whether it has this record, with no less known of it.
  bool has(const Record& record) const;
  void add(const Record& record);
  void add(const Records& records);
  void add(const HeldRows& rows);
  const HeldRows& rows() const { return rows_; }
  // Those that it does not have.
  Records missing(const Records& records) const;

 private:
  HeldRows rows_;
  SharedMap<RecordId, std::uint8_t> versions_;  // of records that are not in `rows_`
};

}  // namespace rehearse::smpi::model
