// SPDX-License-Identifier: MIT
//
// Cheap copies of memory, if many similar copies are taken: differences from a first copy, the base.
//
// Shape:     pieces are disjoint address ranges in ascending order. A Delta may have other pieces than its base.
// Cost:      one comparison of all bytes; memory for the blocks (64 bytes) that differ.
// Ownership: deltas share their base.
// Threads:   none.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "simcore/memory/pages.hpp"

namespace rehearse {

class MemoryImage {
 public:
  explicit MemoryImage(std::span<const ByteRange> pieces);

  std::size_t bytes() const { return bytes_; }
  std::span<const ByteRange> pieces() const { return pieces_; }
  const std::byte* data() const { return data_.get(); }  // of all pieces in order

 private:
  std::vector<ByteRange> pieces_;
  std::size_t bytes_ = 0;
  std::unique_ptr<std::byte[]> data_;
};

class MemoryDelta {
 public:
  MemoryDelta(std::span<const ByteRange> pieces, std::shared_ptr<const MemoryImage> base);

  // The size of the differences, without the base.
  std::size_t bytes() const { return bytes_; }
  std::span<const ByteRange> pieces() const { return {block<ByteRange>(0), piece_count_}; }

  // Whether the pieces and bytes are the same. False also for another base.
  bool is_same_as(const MemoryDelta& other) const;

  // Restores all pieces.
  void write_back() const;

 private:
  template <class T>
  const T* block(std::size_t offset) const {
    return reinterpret_cast<const T*>(block_.get() + offset);
  }

  std::shared_ptr<const MemoryImage> base_;
  std::unique_ptr<std::byte[]> block_;  // the pieces, the ranges that differ, and the bytes of these ranges
  std::size_t piece_count_ = 0, run_count_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace rehearse
