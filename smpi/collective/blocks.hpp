// SPDX-License-Identifier: MIT
//
// Memory of the program that messages and collectives move: elements of a datatype, and lists of
// such pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "mpi.h"
#include "smpi/datatype/datatype.hpp"
#include "smpi/datatype/pack.hpp"

namespace rehearse::smpi {

// The address `bytes` behind another. This avoids pointer arithmetic because the address may be null (MPI_BOTTOM).
inline void* address_behind(const void* address, std::int64_t bytes) {
  return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(address) + static_cast<std::uintptr_t>(bytes));
}

// `count` elements of `type` at `address`.
struct Buffer {
  void* address = nullptr;
  MPI_Count count = 0;
  DatatypeRef type;

  std::uint64_t bytes() const { return count == 0 ? 0 : static_cast<std::uint64_t>(type->size() * count); }
  std::uint64_t signature() const { return signature_of(*type, count); }

  // `block_count` elements, `elements` after the first.
  Buffer block(MPI_Count elements, MPI_Count block_count) const {
    return {address_behind(address, elements * type->extent()), block_count, type};
  }
};

// One block per peer, each with its own place, count and type. Equal blocks are stored once.
class Blocks {
 public:
  Blocks() = default;
  explicit Blocks(std::vector<Buffer> each) : each_(std::move(each)) {}

  // Equal blocks, one behind the other.
  static Blocks equal(const Buffer& first, int blocks);

  std::size_t size() const { return first_.type ? count_ : each_.size(); }
  bool empty() const { return size() == 0; }
  Buffer operator[](std::size_t i) const {
    return first_.type ? first_.block(static_cast<MPI_Count>(i) * first_.count, first_.count) : each_[i];
  }
  // All of them as one, if they are equal; otherwise null.
  const Buffer* as_one() const { return first_.type ? &all_ : nullptr; }

  std::uint64_t bytes() const;
  std::uint64_t signature() const;  // one number for the types of all

 private:
  std::vector<Buffer> each_;
  Buffer first_;  // if it has a type, all blocks are like it
  Buffer all_;
  std::size_t count_ = 0;
};

// The places of the data of each block, if there is much data and each block is one contiguous piece of memory;
// otherwise empty. Touches the memory, so that an invalid address makes the caller fail and not another rank.
std::vector<std::span<std::byte>> places_of(const Blocks& blocks);

// The packed data of all blocks, and the length of each.
class PackedBlocks {
 public:
  explicit PackedBlocks(const Blocks& blocks);
  PackedBlocks(const PackedBlocks&) = delete;
  PackedBlocks& operator=(const PackedBlocks&) = delete;

  std::span<const std::byte> data() const { return data_; }
  const std::vector<std::uint64_t>& segments() const { return segments_; }

 private:
  std::optional<PackedData> one_;
  std::vector<std::byte> copy_;
  std::span<const std::byte> data_;
  std::vector<std::uint64_t> segments_;
};

}  // namespace rehearse::smpi
