// SPDX-License-Identifier: MIT
//
// Records by the memory that they touch: finds those that meet some bytes without a look at all others.
//
// Method:  the pieces of memory are sorted by their first byte, in one list for each power of two of their size. So a
//          search in a list begins at most twice that size before the bytes. Of the records at one place, a run that
//          the knowledge has is skipped at once.
// Threads: none. Copies share their entries (SharedMap).
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "smpi/rma_model/records.hpp"
#include "smpi/rma_model/shared_map.hpp"

namespace rehearse::smpi::model {

class RecordIndex {
 public:
  void add(const Record& record);

  // The records that touch one of these bytes, each once, in ascending order; with `unless_known`, only those that it
  // does not have (is_known).
  std::vector<RecordId> meeting(std::span<const Bytes> memory, const Knowledge* unless_known) const;

 private:
  struct Place {
    std::uintptr_t begin = 0;
    RecordId record;
    auto operator<=>(const Place&) const = default;
  };
  using Pieces = SharedMap<Place, std::uintptr_t>;  // their ends

  static void find(const Pieces& pieces, std::uintptr_t largest, const Bytes& bytes, const Knowledge* unless_known,
                   std::vector<RecordId>& found);

  std::map<unsigned, Pieces> by_size_;  // by the binary logarithm of the size, rounded up
};

}  // namespace rehearse::smpi::model
