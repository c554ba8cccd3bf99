// SPDX-License-Identifier: MIT
//
// The heap of one actor: a bump pointer and last-in-first-out free lists per size class, inside the memory it manages.
//
// Shape:   the Arena object is the first thing in its memory, each block has an 8-byte header, free blocks hold the
//          list links: copying [begin, high_water()) copies the whole state. Addresses depend on the sequence of calls
//          only. Blocks are 16-byte aligned. Memory that was never handed out reads as zero, also after a restore.
// Classes: multiples of 16 to 1 KiB, then four per doubling. Blocks are not merged: a class keeps what it got.
// Errors:  out of memory is null. A pointer that is not a live block is reported by check().
// Threads: none.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rehearse {

class Arena {
 public:
  // Starts an empty arena in [begin, end). `*dirty_end` is kept outside the arena: everything at or above it has never
  // been written; it only grows, so that what a rolled-back actor wrote is not seen by its next life.
  static Arena* create(std::byte* begin, std::byte* end, std::byte** dirty_end);

  void* allocate(std::size_t bytes);
  void* allocate_zeroed(std::size_t bytes);
  void* allocate_aligned(std::size_t alignment, std::size_t bytes);  // alignment: a power of two
  void* reallocate(void* block, std::size_t bytes);                  // block not null
  void release(void* block);
  std::size_t usable_bytes(const void* block) const;
  // The owner has learned how much is usable, and may use it.
  void use_all(void* block);

  // From now on large blocks that are freed keep their pages: an actor that is put back needs them again.
  void keep_freed_pages() { keeps_freed_pages_ = true; }

  enum class BlockState { live, free, foreign };
  BlockState check(const void* block) const;

  // Blocks in the order of their addresses, live or free, for who wants to know what lies where. A block once carved
  // stays where it is and never ends earlier; only the last one may grow.
  const std::byte* first_block() const;
  const std::byte* next_block(const std::byte* block) const;  // null: it is the last one
  // Where that ends of such a block which its owner asked for; where it begins: the block is free.
  const std::byte* end_asked(const std::byte* block) const;

  bool owns(const void* address) const { return address >= this && address < end_; }
  const std::byte* begin() const { return reinterpret_cast<const std::byte*>(this); }
  const std::byte* high_water() const { return bump_; }

 private:
  struct Header {
    // Of an aligned block: distance to the block around it. Of another: how many of its last bytes nobody asked for.
    std::uint32_t back = 0;
    std::uint16_t magic = 0;
    std::uint16_t size_class = 0;
  };
  struct FreeBlock {
    FreeBlock* next;
  };
  static constexpr std::size_t class_count = 192;

  static Header& header_of(const void* block);
  static std::uint16_t class_of(std::size_t total);
  static std::size_t total_of(std::uint16_t size_class);
  void* carve(std::uint16_t size_class);
  bool resize_last(Header& header, std::uint16_t size_class);
  void set_asked(void* block, std::size_t bytes);
  void zero_dirty(std::byte* from, std::byte* to);

  std::byte* bump_;  // where the next block begins, behind its header
  std::byte* end_;
  std::byte** dirty_end_;
  bool keeps_freed_pages_;
  FreeBlock* free_[class_count];
};

}  // namespace rehearse
