// SPDX-License-Identifier: MIT
//
// Stacks for fibers: taken from large mapped slabs, each with a guard below it, reused after release.
//
// Memory:  a stack costs the touched pages. If the kernel has MADV_GUARD_INSTALL (6.13), guards need no mappings;
//          otherwise each guard is a mapping, which limits the number of stacks to about 30,000.
// Errors:  std::bad_alloc when the address space is exhausted.
// Threads: none; one pool per Program.
#pragma once

#include <cstddef>
#include <vector>

#include "simcore/actor_context.hpp"

namespace rehearse {

class StackPool {
 public:
  explicit StackPool(std::size_t stack_bytes);  // rounded up to pages
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  StackSpan acquire();
  void release(StackSpan stack);

 private:
  void map_slab();

  std::size_t stack_bytes_;
  std::vector<std::byte*> slabs_;
  std::vector<StackSpan> free_;
};

}  // namespace rehearse
