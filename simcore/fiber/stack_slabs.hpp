// SPDX-License-Identifier: MIT
//
// Stacks for very many fibers: cut from slabs of thousands, without a guard, and so without a mapping, of their own.
//
// Memory:  a stack costs the pages that were touched; one that is not deep has only its first page. Tops are staggered
//          so that the hot lines of many stacks do not fall into the same sets of the cache.
// Safety:  the lowest part of each stack is a red zone that correct code never reaches. is_overflown() says whether
//          the stack pointer is in it, or has been: its first bytes are no longer zero; is_lost() whether it has gone
//          through all of it, and others' stacks may be spoilt.
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

  // Usable bytes of each stack, the red zone not included; rounded up to pages.
  explicit StackSlabs(std::size_t stack_bytes);
  ~StackSlabs();
  StackSlabs(const StackSlabs&) = delete;
  StackSlabs& operator=(const StackSlabs&) = delete;

  StackSpan acquire();
  // `deep`: pages below the first were used, and are given back where there are many stacks.
  void release(StackSpan stack, bool deep);

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
  std::vector<std::byte*> deep_;  // slots of free stacks with more than their first page, to be given back together
  std::byte* next_ = nullptr;     // of the newest slab: never used before
  std::byte* end_ = nullptr;
  std::size_t acquired_ = 0;
  std::size_t cut_ = 0;
};

}  // namespace rehearse
