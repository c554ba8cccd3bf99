// SPDX-License-Identifier: MIT
//
// The value of one element of a window behind those of its changes that happened before an operation.
//
// Method:  keeps the value behind the changes that it has applied. The next operation mostly comes behind these, and
//          needs only what is new; otherwise the value is computed from the beginning.
// Threads: none. Copies share their content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "smpi/rma_model/memory_image.hpp"
#include "smpi/rma_model/records.hpp"

namespace rehearse::smpi::model {

class ElementValue {
 public:
  // A record is new.
  void add(const RecordRef& record);
  // More is known of a record.
  void replace(const RecordRef& record);

  // Carries out an operation behind those changes among `all` records that have taken effect (`placed`) or that
  // happened before it. Its answer is appended. From now on it has taken effect itself.
  void carry_out(const Record& operation, const Records& all, const RecordSet& placed, std::vector<std::byte>& answer);

 private:
  using Date = std::tuple<std::uint64_t, RecordId>;

  static Date date_of(const Record& record) { return {record.lamport, record.id}; }
  void begin(const Record& operation, const Records& all);
  bool is_behind_applied(const Record& operation, const RecordSet& placed, std::vector<RecordRef>& fresh) const;

  Bytes element_;       // empty: nothing is applied, and changes are not gathered
  Records waiting_;     // changes of it that are not applied
  RecordSet unplaced_;  // applied changes that need not happen before each operation
  MemoryImage image_;
  Date last_ = {};  // of the last applied change
};

}  // namespace rehearse::smpi::model
