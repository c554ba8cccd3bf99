// SPDX-License-Identifier: MIT
//
// See element_value.hpp.
#include "smpi/rma_model/element_value.hpp"

#include <algorithm>

namespace rehearse::smpi::model {
namespace {

bool changes(const Record& record, const Bytes& element) {
  return record.changes_memory() &&
         std::ranges::any_of(record.memory, [&](const Bytes& one) { return one.meets(element); });
}

}  // namespace

void ElementValue::add(const RecordRef& record) {
  if (changes(*record, element_)) waiting_.assign(record->id, record);
}

void ElementValue::replace(const RecordRef& record) {
  if (!changes(*record, element_)) return;
  if (waiting_.contains(record->id)) waiting_.assign(record->id, record);
  else *this = {};
}

void ElementValue::begin(const Record& operation, const Records& all) {
  *this = {};
  element_ = operation.memory.front();
  for (const auto& [id, record] : all) add(record);
  waiting_.erase(operation.id);
}

// Whether all applied changes happened before the operation, and none of the others that did is earlier. These are put
// in `fresh`, in the order of their dates.
bool ElementValue::is_behind_applied(const Record& operation, const RecordSet& placed,
                                     std::vector<RecordRef>& fresh) const {
  const auto is_before = [&](RecordId id) { return placed.contains(id) || is_known(id, *operation.known); };
  for (const auto& [id, record] : waiting_)
    if (is_before(id)) fresh.push_back(record);
  std::ranges::sort(fresh, {}, [](const RecordRef& record) { return date_of(*record); });
  if (!fresh.empty() && date_of(*fresh.front()) < last_) return false;
  return std::ranges::all_of(unplaced_, [&](const auto& applied) { return is_before(applied.first); });
}

void ElementValue::carry_out(const Record& operation, const Records& all, const RecordSet& placed,
                             std::vector<std::byte>& answer) {
  std::vector<RecordRef> fresh;
  const Bytes& memory = operation.memory.front();
  waiting_.erase(operation.id);
  if (memory.begin != element_.begin || memory.end != element_.end || !is_behind_applied(operation, placed, fresh)) {
    fresh.clear();
    begin(operation, all);
    is_behind_applied(operation, placed, fresh);
  }
  for (const RecordRef& record : fresh) {
    image_.apply(*record);
    last_ = date_of(*record);
    waiting_.erase(record->id);
    if (!placed.contains(record->id)) unplaced_.emplace(record->id, {});
  }
  image_.carry_out(operation.data, answer);
  if (!operation.changes_memory()) return;
  if (date_of(operation) < last_) *this = {};  // the next operation needs both in the order of their dates
  else last_ = date_of(operation);
}

}  // namespace rehearse::smpi::model
