// SPDX-License-Identifier: MIT
//
// A copy of window memory of all ranks, as one of them knows it. Addresses are those of the owners.
//
// Threads: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "smpi/rma_model/records.hpp"

namespace rehearse::smpi::model {

class MemoryImage {
 public:
  // The copy of these bytes, or an empty span if not all of them are known.
  std::span<std::byte> at(std::uintptr_t begin, std::uint64_t bytes);

  // Whether all memory of the operation is known.
  bool has(const OperationView& operation);

  // Does what the record does to the memory. Content without data: the memory belongs to no window any more.
  void apply(const Record& record);
  // Carries out the operation; its answer is appended. False: the image does not have the memory.
  bool carry_out(std::span<const std::byte> message, std::vector<std::byte>& answer);

  void clear() { ranges_.clear(); }

 private:
  void cover(const Bytes& range);
  void forget(const Bytes& range);

  std::map<std::uintptr_t, std::vector<std::byte>> ranges_;  // by address, with gaps between them
};

}  // namespace rehearse::smpi::model
