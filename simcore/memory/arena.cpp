// SPDX-License-Identifier: MIT
//
// Allocates the blocks of an actor's heap.
#include "simcore/arena.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "simcore/memory/pages.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse {
namespace {

constexpr std::size_t header_bytes = 8;
constexpr std::size_t small_limit = 1024;       // up to this total, size classes are 16 bytes apart
constexpr std::size_t release_limit = 1 << 20;  // freed blocks from this size on give their pages back
constexpr std::uint16_t magic_live = 0xa11c;
constexpr std::uint16_t magic_free = 0xf4ee;
constexpr std::uint16_t magic_aligned = 0xa119;

std::byte* address(std::uintptr_t value) { return reinterpret_cast<std::byte*>(value); }
std::uintptr_t value(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

}  // namespace

Arena* Arena::create(std::byte* begin, std::byte* end, std::byte** dirty_end) {
  static_assert(sizeof(Header) == header_bytes);
  auto* arena = new (begin) Arena;
  arena->bump_ = address((value(begin + sizeof(Arena)) + header_bytes + 15) / 16 * 16);
  arena->end_ = end;
  arena->dirty_end_ = dirty_end;
  arena->keeps_freed_pages_ = false;
  arena->clears_reused_blocks_ = false;
  std::fill_n(arena->free_, class_count, nullptr);
  *dirty_end = std::max(*dirty_end, arena->bump_);
  return arena;
}

Arena::Header& Arena::header_of(const void* block) { return *reinterpret_cast<Header*>(value(block) - header_bytes); }

// The smallest class whose blocks have at least `total` bytes, header included.
std::uint16_t Arena::class_of(std::size_t total) {
  if (total <= small_limit) return static_cast<std::uint16_t>((total + 15) / 16);
  const int log = std::bit_width(total - 1) - 1;  // 2^log < total <= 2^(log+1)
  const std::size_t step = (std::size_t{1} << log) / 4;
  const std::size_t quarter = (total - (std::size_t{1} << log) + step - 1) / step;  // 1..4
  return static_cast<std::uint16_t>(small_limit / 16 + static_cast<std::size_t>(log - 10) * 4 + quarter);
}

std::size_t Arena::total_of(std::uint16_t size_class) {
  constexpr std::uint16_t small_classes = small_limit / 16;
  if (size_class <= small_classes) return std::size_t{16} * size_class;
  const std::size_t above = size_class - small_classes - 1u;
  const std::size_t power = small_limit << (above / 4);
  return power + power / 4 * (above % 4 + 1);
}

// Clears the memory that the actor wrote before it was restarted.
void Arena::zero_dirty(std::byte* from, std::byte* to) {
  to = std::min(to, *dirty_end_);
  if (from < to) clear_bytes({from, to});
}

// The first free block of the class; null: there is none.
void* Arena::take_free(std::uint16_t size_class) {
  FreeBlock* block = free_[size_class];
  if (block == nullptr) return nullptr;
  free_[size_class] = block->next;
  const std::size_t total = total_of(size_class);
  if (clears_reused_blocks_ && total <= cleared_limit) std::memset(block, 0, total - header_bytes);
  return block;
}

void* Arena::carve(std::uint16_t size_class) {
  const std::size_t total = total_of(size_class);
  std::byte* block = bump_;
  if (total > static_cast<std::size_t>(end_ - block)) return nullptr;
  bump_ = block + total;
  zero_dirty(block - header_bytes, bump_ - header_bytes);
  *dirty_end_ = std::max(*dirty_end_, bump_);
  return block;
}

void* Arena::allocate(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(end_ - begin())) return nullptr;
  const std::uint16_t size_class = class_of(std::max<std::size_t>(bytes + header_bytes, 32));
  void* block = take_free(size_class);
  if (block == nullptr && (block = carve(size_class)) == nullptr) return nullptr;
  header_of(block) = {0, magic_live, size_class};
  set_asked(block, bytes);
  return block;
}

// Records the requested size of a live block, aligned or not.
void Arena::set_asked(void* block, std::size_t bytes) {
  Header* header = &header_of(block);
  std::size_t before = 0;
  if (header->magic == magic_aligned) {
    before = header->back;
    header = &header_of(static_cast<const std::byte*>(block) - before);
  }
  const std::size_t rest = total_of(header->size_class) - header_bytes - before - bytes;
  header->back = static_cast<std::uint32_t>(std::min<std::size_t>(rest, UINT32_MAX));
}

void Arena::use_all(void* block) { set_asked(block, usable_bytes(block)); }

void* Arena::allocate_zeroed(std::size_t bytes) {
  const std::byte* fresh = bump_;
  void* block = allocate(bytes);
  if (block != nullptr && block < fresh) std::memset(block, 0, bytes);
  return block;
}

void* Arena::allocate_aligned(std::size_t alignment, std::size_t bytes) {
  if (alignment <= 16) return allocate(bytes);
  if (alignment > (std::size_t{1} << 31) || bytes > SIZE_MAX - alignment) return nullptr;
  void* outer = allocate(bytes + alignment);
  if (outer == nullptr) return nullptr;
  if (value(outer) % alignment == 0) {
    set_asked(outer, bytes);
    return outer;
  }
  void* block = address((value(outer) + alignment - 1) / alignment * alignment);
  header_of(block) = {static_cast<std::uint32_t>(value(block) - value(outer)), magic_aligned, 0};
  set_asked(block, bytes);
  return block;
}

// Tries to change the class of the block in place. Requires: it is the last block.
bool Arena::resize_last(Header& header, std::uint16_t size_class) {
  auto* block = reinterpret_cast<std::byte*>(&header) + header_bytes;
  if (block + total_of(header.size_class) != bump_) return false;
  const std::size_t total = total_of(size_class);
  if (total > static_cast<std::size_t>(end_ - block)) return false;
  std::byte* old_bump = bump_;
  bump_ = block + total;
  zero_dirty(old_bump - header_bytes, bump_ - header_bytes);
  *dirty_end_ = std::max(*dirty_end_, bump_);
  header.size_class = size_class;
  return true;
}

void* Arena::reallocate(void* block, std::size_t bytes) {
  const std::size_t usable = usable_bytes(block);
  if (bytes <= usable && bytes >= usable / 2) {
    set_asked(block, bytes);
    return block;
  }
  if (bytes > static_cast<std::size_t>(end_ - begin())) return nullptr;
  Header& header = header_of(block);
  if (header.magic == magic_live && bytes > usable && resize_last(header, class_of(bytes + header_bytes))) {
    set_asked(block, bytes);
    return block;
  }
  void* moved = allocate(bytes);
  if (moved == nullptr) return bytes <= usable ? block : nullptr;
  std::memcpy(moved, block, std::min(bytes, usable));
  release(block);
  return moved;
}

void Arena::release(void* block) {
  Header* header = &header_of(block);
  if (header->magic == magic_aligned) {
    block = static_cast<std::byte*>(block) - header->back;
    header->magic = magic_free;
    header = &header_of(block);
  }
  REHEARSE_ASSERT(header->magic == magic_live, "release of a block that is not live");
  header->magic = magic_free;
  const std::size_t total = total_of(header->size_class);
  if (total >= release_limit && !keeps_freed_pages_)
    clear_bytes({static_cast<std::byte*>(block), static_cast<std::byte*>(block) + total - header_bytes});
  list_free(static_cast<FreeBlock*>(block), free_[header->size_class]);
}

// Blocks that were freed in another order are used again in the same order if there are few of them.
void Arena::list_free(FreeBlock* block, FreeBlock*& first) const {
  constexpr int most_steps = 64;
  FreeBlock** place = &first;
  for (int step = 0; clears_reused_blocks_ && step < most_steps && *place != nullptr && *place < block; ++step)
    place = &(*place)->next;
  block->next = *place;
  *place = block;
}

std::size_t Arena::usable_bytes(const void* block) const {
  const Header& header = header_of(block);
  if (header.magic != magic_aligned) return total_of(header.size_class) - header_bytes;
  const void* outer = static_cast<const std::byte*>(block) - header.back;
  return total_of(header_of(outer).size_class) - header_bytes - header.back;
}

const std::byte* Arena::first_block() const {
  const std::byte* first = address((value(begin() + sizeof(Arena)) + header_bytes + 15) / 16 * 16);
  return first < bump_ ? first : nullptr;
}

const std::byte* Arena::next_block(const std::byte* block) const {
  const std::byte* next = block + total_of(header_of(block).size_class);
  return next < bump_ ? next : nullptr;
}

const std::byte* Arena::end_asked(const std::byte* block) const {
  const Header& header = header_of(block);
  return header.magic == magic_live ? block + total_of(header.size_class) - header_bytes - header.back : block;
}

Arena::BlockState Arena::check(const void* block) const {
  if (value(block) % 16 != 0 || block < begin() + sizeof(Arena) || block >= bump_) return BlockState::foreign;
  const Header& header = header_of(block);
  if (header.magic == magic_free) return BlockState::free;
  return header.magic == magic_live || header.magic == magic_aligned ? BlockState::live : BlockState::foreign;
}

}  // namespace rehearse
