// SPDX-License-Identifier: MIT
//
// The heap of one actor: a bump pointer and free lists per size class, inside the memory it manages.
//
// Shape:   the Arena object is at the beginning of its memory, each block has an 8-byte header, and free blocks contain
//          the links of lists. So a copy of [begin, high_water()) is the whole state. Addresses depend only on the
//          sequence of calls. Blocks are 16-byte aligned. Memory that was never allocated reads as zero, also after a
//          restore.
// Classes: multiples of 16 up to 1 KiB, then four per doubling. A block never changes its class, and blocks are not
//          merged.
// Errors:  out of memory is null. A pointer that is not a live block is reported by check().
// Threads: none.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rehearse {

class Arena {
 public:
  // Starts an empty arena in [begin, end). `*dirty_end` is outside the arena and only grows: memory at or above it has
  // never been written. So after a restore or restart, the arena knows which fresh memory it must clear.
  static Arena* create(std::byte* begin, std::byte* end, std::byte** dirty_end);

  void* allocate(std::size_t bytes);
  void* allocate_zeroed(std::size_t bytes);
  void* allocate_aligned(std::size_t alignment, std::size_t bytes);  // alignment: a power of two
  void* reallocate(void* block, std::size_t bytes);                  // block not null
  void release(void* block);
  std::size_t usable_bytes(const void* block) const;
  // To be called when the owner asks for the usable size, because it may then use all of it.
  void use_all(void* block);

  // From now on large freed blocks keep their pages, because a restored actor needs them again.
  void keep_freed_pages() { keeps_freed_pages_ = true; }

  // From now on the heap remembers less of what happened before, because otherwise states that are equal for their
  // owner differ. Blocks of up to `cleared_limit` bytes read as zero also when memory is used again: data of earlier
  // blocks would stay in the gaps of structures. Of the free blocks of a class, the lowest is used first, whatever
  // order they were freed in. (If the new one has more than 64 below it, the order depends on the calls.) Otherwise,
  // the last freed block is used first.
  static constexpr std::size_t cleared_limit = std::size_t{16} << 10;
  void clear_reused_blocks() { clears_reused_blocks_ = true; }

  enum class BlockState { live, free, foreign };
  BlockState check(const void* block) const;

  // Iterates over all blocks, live or free, by address. A block never moves and never shrinks; only the last one can
  // grow.
  const std::byte* first_block() const;
  const std::byte* next_block(const std::byte* block) const;  // null: it is the last one
  // The end of the requested part of the block. The beginning of the block: it is free.
  const std::byte* end_asked(const std::byte* block) const;

  // Calls visit(begin, end) for the bytes below high_water() that nobody may read, by address: the content of each free
  // block behind its link, the bytes of each live block that were not requested, and the header of the next block.
  template <class Visit>
  void for_each_unused(Visit&& visit) const {
    for (const std::byte* block = first_block(); block != nullptr;) {
      const std::byte* next = next_block(block);
      const std::byte* const end = (next != nullptr ? next : bump_) - sizeof(Header);
      visit(check(block) == BlockState::free ? block + sizeof(FreeBlock) : end_asked(block), end);
      block = next;
    }
    visit(bump_ - sizeof(Header), bump_);
  }

  bool owns(const void* address) const { return address >= this && address < end_; }
  const std::byte* begin() const { return reinterpret_cast<const std::byte*>(this); }
  const std::byte* high_water() const { return bump_; }

 private:
  struct Header {
    // Aligned block: distance to the enclosing block. Other block: number of its last bytes that were not requested.
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
  void* take_free(std::uint16_t size_class);
  void list_free(FreeBlock* block, FreeBlock*& first) const;
  void* carve(std::uint16_t size_class);
  bool resize_last(Header& header, std::uint16_t size_class);
  void set_asked(void* block, std::size_t bytes);
  void zero_dirty(std::byte* from, std::byte* to);

  std::byte* bump_;  // the next block, after its header
  std::byte* end_;
  std::byte** dirty_end_;
  bool keeps_freed_pages_;
  bool clears_reused_blocks_;
  FreeBlock* free_[class_count];
};

}  // namespace rehearse
