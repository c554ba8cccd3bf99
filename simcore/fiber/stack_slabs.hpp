// SPDX-License-Identifier: MIT
//
// Stacks for very many fibers, cut from slabs of thousands. A stack has no guard, and so needs no mapping.
//
// Memory:  a stack costs the touched pages; a shallow stack has only its first page. Tops are staggered, so that the
//          hot lines of many stacks do not compete for the same sets of the cache.
// Safety:  the lowest part of each stack is a red zone that correct code never reaches. is_overflown(): the stack
//          pointer is in the red zone, or was there (the zone's first bytes are no longer zero). is_lost(): the stack
//          grew beyond its red zone and may have damaged other stacks.
// Errors:  std::bad_alloc when the address space is exhausted.
// Threads: none.
#pragma once

#include <cstddef>
#include <vector>

#include "simcore/actor_context.hpp"

namespace rehearse {

class StackSlabs {
 public:
  static constexpr std::size_t red_zone_bytes = std::size_t{16} << 10;

  // `stack_bytes`: usable bytes of each stack, without the red zone; rounded up to pages.
  explicit StackSlabs(std::size_t stack_bytes);
  ~StackSlabs();
  StackSlabs(const StackSlabs&) = delete;
  StackSlabs& operator=(const StackSlabs&) = delete;

  StackSpan acquire();
  // `deep`: pages below the first one were used. If there are many stacks, they are given back to the kernel.
  void release(StackSpan stack, bool deep);

  // Calls visit(first byte, number of bytes) for each slab.
  template <class Visit>
  void for_each_slab(Visit&& visit) const {
    for (const Slab& slab : slabs_) visit(slab.first, slab.bytes);
  }

  static bool is_overflown(const StackSpan& stack, const void* stack_pointer);
  static bool is_lost(const StackSpan& stack, const void* stack_pointer);

 private:
  struct Slab {
    std::byte* first;
    std::size_t bytes;
  };
  void map_slab();
  void give_back_deep();

  std::size_t slot_bytes_;
  std::vector<Slab> slabs_;
  std::vector<StackSpan> free_;
  std::vector<std::byte*> deep_;  // free stacks with more than their first page
  std::byte* next_ = nullptr;     // first unused slot of the newest slab
  std::byte* end_ = nullptr;
  std::size_t acquired_ = 0;
  std::size_t cut_ = 0;
};

}  // namespace rehearse
