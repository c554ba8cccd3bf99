// SPDX-License-Identifier: MIT
//
// The memory of actors that can be saved and restored: one contiguous reserved range per actor.
//
// Layout:    an ActorSpace reserves the ranges of all actors of a Program side by side, at the same addresses in
//            every run. The owner of a range decides its layout; one part is the actor's heap (Arena).
// Snapshot:  a copy of the live parts: the declared regions, the stack from the suspended stack pointer on, the heap up
// to
//            its high-water mark. Untouched pages of large parts are skipped. Snapshots of one actor share a base copy.
//            In large touched parts, only written pages are compared, if the kernel reports them
//            (simcore/memory/paged_part.hpp).
// Guard:     nobody can read or write the memory of a closed actor until it is opened.
// Memory:    reserved memory costs nothing until it is touched. Freshly reserved memory is readable, writable, zero.
// Errors:    std::bad_alloc when address space cannot be reserved.
// Threads:   none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "simcore/actor_context.hpp"
#include "simcore/memory/pages.hpp"
#include "simcore/program.hpp"
#include "simcore/support/wide_hash.hpp"

namespace rehearse {

class Arena;
class MemoryImage;
class PagedPart;

class ActorSpace {
 public:
  explicit ActorSpace(std::uint32_t actors);  // each gets min(64 GiB, 16 TiB / actors)
  ~ActorSpace();
  ActorSpace(const ActorSpace&) = delete;
  ActorSpace& operator=(const ActorSpace&) = delete;

  std::byte* range(ActorId actor) const { return base_ + actor.value * range_bytes_; }
  std::size_t range_bytes() const { return range_bytes_; }

  // Permits execution of code in the ranges. False: the kernel refuses.
  bool make_executable();

 private:
  std::byte* base_ = nullptr;
  std::size_t range_bytes_ = 0;
  std::size_t total_bytes_ = 0;
};

class ActorMemory {
 public:
  // Makes the heap in [heap, heap_end). Only this actor may use the memory of the regions, the stack and the heap.
  ActorMemory(StackSpan stack, std::byte* heap, std::byte* heap_end);
  ~ActorMemory();

  // Declares [begin, end) as part of the actor's state.
  void add_region(std::byte* begin, std::byte* end);

  // Memory of this actor only that no snapshot contains.
  void add_scratch(std::byte* begin, std::byte* end);

  // Empties the heap, for an actor that starts again. The owner of the declared regions must reset them.
  void reset_heap();

  Arena& heap() const { return *heap_; }

  // Null if the stack pointer is not on the stack, or if the copy would be larger than `limit_bytes`.
  std::unique_ptr<Snapshot> save(const std::byte* stack_pointer, std::uint64_t limit_bytes);
  void restore(const Snapshot& snapshot);

  // A hash of the memory that the actor can still read, without the `left_out` ranges: the stack from the suspended
  // stack pointer on, the regions, and the heap without the content of free blocks. Memory that was never touched
  // equals zeros. Empty if the stack pointer is not on the stack, or if more than `limit_bytes` would be read.
  std::optional<WideHash> image(const std::byte* stack_pointer, std::vector<ByteRange> left_out,
                                std::uint64_t limit_bytes);

  // The numbers of pages of PagedParts copied and restored so far.
  struct PageTraffic {
    std::size_t copied = 0, restored = 0;
  };
  PageTraffic page_traffic() const;

  // Closes the whole pages of stack, regions, scratch and used heap. Nobody may touch closed memory. False: the kernel
  // refuses, because there are too many mappings; a part of the memory may be closed.
  bool close();
  bool open();
  bool is_open() const { return is_open_; }

  // The memory is executable whenever it is open (as ActorSpace::make_executable() makes it at first).
  void make_executable() { is_executable_ = true; }

 private:
  void add_part(ByteRange part, std::uint64_t limit_bytes, std::vector<ByteRange>& sparse);
  PagedPart* paged_part(ByteRange part, std::size_t touched_bytes);
  void extend_paged();
  void renew_areas();
  std::byte* used_heap_end() const;

  StackSpan stack_;
  std::byte* heap_begin_;
  std::byte* heap_end_;
  std::unique_ptr<std::byte*> dirty_end_;  // see Arena::create; its address must not change
  Arena* heap_;
  std::vector<std::pair<std::byte*, std::byte*>> regions_, scratch_;
  std::vector<ByteRange> areas_;         // disjoint, of whole pages: the memory that close() closes
  std::byte* areas_heap_end_ = nullptr;  // the end of the heap in them; null: they must be computed again
  bool is_open_ = true;
  bool is_executable_ = false;
  std::shared_ptr<const MemoryImage> base_;  // the base of new snapshots
  std::vector<ByteRange> parts_, pieces_;    // scratch memory for save()
  std::vector<PagedPart*> paged_now_;        // likewise
  std::vector<std::unique_ptr<PagedPart>> paged_;
  bool is_paging_possible_ = true;  // false after the kernel has refused
};

// The window of addresses for the ranges of actors. Nothing else is there: it is above the heap of executables at fixed
// addresses, and below the mappings of processes without a stack limit (from a third of the address space on).
inline constexpr std::uintptr_t actor_window_begin = 0x0100'0000'0000;
inline constexpr std::uintptr_t actor_window_end = 0x2a00'0000'0000;
inline bool in_actor_window(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) - actor_window_begin < actor_window_end - actor_window_begin;
}

// Clears [begin, end) without touching untouched pages.
void clear_memory(std::byte* begin, std::byte* end);

}  // namespace rehearse
