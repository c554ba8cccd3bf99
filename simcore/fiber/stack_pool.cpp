// SPDX-License-Identifier: MIT
//
// Slabs of stacks.
#include "simcore/fiber/stack_pool.hpp"

#include <sys/mman.h>

#include <new>

#include "simcore/memory/pages.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse {
namespace {

constexpr std::size_t guard_bytes = 4 * page_bytes;
constexpr std::size_t stacks_per_slab = 64;

}  // namespace

StackPool::StackPool(std::size_t stack_bytes) : stack_bytes_((stack_bytes + page_bytes - 1) / page_bytes * page_bytes) {
  REHEARSE_ASSERT(stack_bytes_ > 0, "a stack of no bytes");
}

StackPool::~StackPool() {
  for (std::byte* slab : slabs_) munmap(slab, stacks_per_slab * (guard_bytes + stack_bytes_));
}

StackSpan StackPool::acquire() {
  if (free_.empty()) map_slab();
  const StackSpan stack = free_.back();
  free_.pop_back();
  return stack;
}

void StackPool::release(StackSpan stack) { free_.push_back(stack); }

void StackPool::map_slab() {
  const std::size_t slot_bytes = guard_bytes + stack_bytes_;
  void* mapped = mmap(nullptr, stacks_per_slab * slot_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  auto* slab = static_cast<std::byte*>(mapped);
  slabs_.push_back(slab);
  for (std::size_t i = stacks_per_slab; i-- > 0;) {
    std::byte* guard = slab + i * slot_bytes;
    if (!install_guard({guard, guard + guard_bytes}) && mprotect(guard, guard_bytes, PROT_NONE) != 0)
      throw std::bad_alloc();
    free_.push_back({guard + guard_bytes, guard + slot_bytes});
  }
}

}  // namespace rehearse
