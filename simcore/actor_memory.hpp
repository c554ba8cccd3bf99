// SPDX-License-Identifier: MIT
//
// The memory of actors that can be saved and restored: one contiguous reserved range per actor.
//
// Layout:    an ActorSpace reserves the ranges of all actors of a Program side by side, at the same addresses in
//            every run. What lies where in a range is its owner's choice; one part is the actor's heap (Arena).
// Snapshot:  a copy of the live parts: the regions that were declared, the stack from the suspended stack pointer
//            on, the heap up to its high-water mark. Large parts skip pages that the actor never touched. Snapshots of
//            one actor share what is the same in most of them; of parts of which much was touched only pages that were
//            written are looked at, where the kernel reports them (simcore/memory/paged_part.hpp).
// Guard:     a closed actor's memory cannot be read or written by anybody, until it is opened.
// Memory:    reserved memory costs nothing until it is touched. Freshly reserved memory is readable, writable, zero.
// Errors:    std::bad_alloc when address space cannot be reserved.
// Threads:   none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "simcore/actor_context.hpp"
#include "simcore/memory/pages.hpp"
#include "simcore/program.hpp"

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

  // Lets code be copied into the ranges and run there. False: the kernel refuses.
  bool make_executable();

 private:
  std::byte* base_ = nullptr;
  std::size_t range_bytes_ = 0;
  std::size_t total_bytes_ = 0;
};

class ActorMemory {
 public:
  // The heap is made in [heap, heap_end). The regions, stack and heap lie in memory that only this actor uses.
  ActorMemory(StackSpan stack, std::byte* heap, std::byte* heap_end);
  ~ActorMemory();

  // Declares [begin, end) as part of the actor's state.
  void add_region(std::byte* begin, std::byte* end);

  // Memory of this actor only that no snapshot contains.
  void add_scratch(std::byte* begin, std::byte* end);

  // Empties the heap, for an actor that starts again. Declared regions are their owner's business.
  void reset_heap();

  Arena& heap() const { return *heap_; }

  // Null where the stack pointer is not on the stack, or the copy would be larger than `limit_bytes`.
  std::unique_ptr<Snapshot> save(const std::byte* stack_pointer, std::uint64_t limit_bytes);
  void restore(const Snapshot& snapshot);

  // Pages that were copied, and written back, one by one since the beginning: see PagedPart.
  struct PageTraffic {
    std::size_t copied = 0, restored = 0;
  };
  PageTraffic page_traffic() const;

  // In whole pages: stack, regions, scratch, and the heap as far as it was ever used. False: the kernel refuses, having
  // too many mappings; part of the memory may be closed. The owner of a closed memory must not touch it.
  bool close();
  bool open();
  bool is_open() const { return is_open_; }

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
  std::vector<ByteRange> areas_;         // of whole pages, apart: what close() closes
  std::byte* areas_heap_end_ = nullptr;  // up to where they contain the heap; null: they are to be found again
  bool is_open_ = true;
  std::shared_ptr<const MemoryImage> base_;  // that new snapshots differ from
  std::vector<ByteRange> parts_, pieces_;    // of the snapshot that is being taken
  std::vector<PagedPart*> paged_now_;        // likewise
  std::vector<std::unique_ptr<PagedPart>> paged_;
  bool is_paging_possible_ = true;  // as far as is known
};

// Whether the address lies where ranges of actors lie, and nothing else does: above the heap of executables at fixed
// addresses, below where the kernel maps things for processes without a stack limit (a third of the address space).
inline constexpr std::uintptr_t actor_window_begin = 0x0100'0000'0000;
inline constexpr std::uintptr_t actor_window_end = 0x2a00'0000'0000;
inline bool in_actor_window(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) - actor_window_begin < actor_window_end - actor_window_begin;
}

// Makes [begin, end) read as zero; what was never touched stays untouched.
void clear_memory(std::byte* begin, std::byte* end);

}  // namespace rehearse
