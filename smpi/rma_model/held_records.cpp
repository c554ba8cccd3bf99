// SPDX-License-Identifier: MIT
//
// See held_records.hpp.
#include "smpi/rma_model/held_records.hpp"

#include <algorithm>

namespace rehearse::smpi::model {
namespace {

std::size_t row_of(RecordId id) { return 2 * std::size_t{id.actor} + (id.is_operation() ? 1 : 0); }

std::uint32_t number_in_row(RecordId id) { return id.number & ~RecordId::operation_bit; }

std::uint32_t length(const HeldRows& rows, RecordId id) { return row_of(id) < rows.size() ? rows[row_of(id)] : 0; }

// The record with this number in the same row.
RecordId in_row(RecordId id, std::uint32_t number) {
  return {id.actor, number | (id.number & RecordId::operation_bit)};
}

}  // namespace

HeldRows common_rows(const HeldRows& a, const HeldRows& b) {
  HeldRows common(std::min(a.size(), b.size()));
  for (std::size_t row = 0; row < common.size(); ++row) common[row] = std::min(a[row], b[row]);
  return common;
}

HeldRows joined_rows(const HeldRows& a, const HeldRows& b) {
  HeldRows all = a;
  all.resize(std::max(a.size(), b.size()));
  for (std::size_t row = 0; row < b.size(); ++row) all[row] = std::max(all[row], b[row]);
  return all;
}

bool HeldRecords::has(const Record& record) const {
  if (number_in_row(record.id) < length(rows_, record.id)) return true;
  const std::uint8_t* held = versions_.find(record.id);
  return held != nullptr && *held >= version_of(record);
}

void HeldRecords::add(const Record& record) {
  std::uint32_t next = number_in_row(record.id);
  if (next < length(rows_, record.id)) return;
  if (next != length(rows_, record.id) || version_of(record) < final_version) {
    std::uint8_t& version = versions_[record.id];
    version = std::max(version, version_of(record));
    return;
  }
  if (rows_.size() <= row_of(record.id)) rows_.resize(row_of(record.id) + 1);
  for (RecordId id = record.id;; id = in_row(id, next)) {
    versions_.erase(id);
    rows_[row_of(id)] = ++next;
    const std::uint8_t* version = versions_.find(in_row(id, next));
    if (version == nullptr || *version < final_version) return;
  }
}

void HeldRecords::add(const Records& records) {
  for (const auto& [id, record] : records) add(*record);
}

void HeldRecords::add(const HeldRows& rows) { rows_ = joined_rows(rows_, rows); }

Records HeldRecords::missing(const Records& records) const {
  Records missing;
  for (auto it = records.begin(); it != records.end();) {
    const auto& [id, record] = *it;
    if (const std::uint32_t held = length(rows_, id); number_in_row(id) < held) {
      it = records.lower_bound(in_row(id, held));
      continue;
    }
    if (!has(*record)) missing.emplace(id, record);
    ++it;
  }
  return missing;
}

}  // namespace rehearse::smpi::model
