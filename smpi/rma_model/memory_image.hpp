// SPDX-License-Identifier: MIT
//
// A copy of window memory of all ranks, as one of them knows it. Addresses are those of the owners.
//
// Copies share their content until one of them changes.
//
// Threads: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "smpi/rma_model/records.hpp"

namespace rehearse::smpi::model {

class MemoryImage {
 public:
  // The copy of these bytes, or an empty span if not all of them are known.
  std::span<const std::byte> at(std::uintptr_t begin, std::uint64_t bytes) const;

  // Whether all memory of the operation is known.
  bool has(const OperationView& operation) const;

  // Does what the record does to the memory. Content without data: the memory belongs to no window any more.
  void apply(const Record& record);
  // Carries out the operation; its answer is appended. False: the image does not have the memory.
  bool carry_out(std::span<const std::byte> message, std::vector<std::byte>& answer);

  void clear() { ranges_.clear(); }

 private:
  using Content = std::shared_ptr<std::vector<std::byte>>;

  std::span<std::byte> changeable(std::uintptr_t begin, std::uint64_t bytes);
  void cover(const Bytes& range);
  void forget(const Bytes& range);

  std::map<std::uintptr_t, Content> ranges_;  // by address, with gaps between them
};

}  // namespace rehearse::smpi::model
