// SPDX-License-Identifier: MIT
//
// Slabs without guards.
#include "simcore/fiber/stack_slabs.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <new>

#include "simcore/support/assert.hpp"

namespace rehearse {
namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t stacks_per_slab = 4096;
constexpr std::size_t canary_bytes = 64;
constexpr std::size_t stagger_steps = 8;
constexpr std::size_t stagger_bytes = 128;
constexpr std::size_t many_stacks = 1024;

// Reading a page that was never written costs no memory.
bool is_touched(const std::byte* canary) {
  std::uint64_t words[canary_bytes / sizeof(std::uint64_t)];
  std::memcpy(words, canary, canary_bytes);
  std::uint64_t any = 0;
  for (const std::uint64_t word : words) any |= word;
  return any != 0;
}

}  // namespace

StackSlabs::StackSlabs(std::size_t stack_bytes)
    : slot_bytes_((stack_bytes + red_zone_bytes + page_bytes - 1) / page_bytes * page_bytes) {}

StackSlabs::~StackSlabs() {
  for (const Slab& slab : slabs_) munmap(slab.first, slab.bytes);
}

StackSpan StackSlabs::acquire() {
  ++acquired_;
  if (!free_.empty()) {
    const StackSpan stack = free_.back();
    free_.pop_back();
    return stack;
  }
  if (next_ == end_) map_slab();
  std::byte* bottom = next_;
  next_ += slot_bytes_;
  const std::size_t stagger = cut_++ % stagger_steps * stagger_bytes;
  return {bottom, bottom + slot_bytes_ - stagger};
}

void StackSlabs::release(StackSpan stack, bool deep) {
  const bool touched = is_touched(stack.bottom + red_zone_bytes - canary_bytes) || is_touched(stack.bottom);
  if (touched || (deep && acquired_ > many_stacks)) {
    auto top_page = reinterpret_cast<std::uintptr_t>(stack.top - 1) / page_bytes * page_bytes;
    const auto bytes = top_page - reinterpret_cast<std::uintptr_t>(stack.bottom);
    REHEARSE_ASSERT(madvise(stack.bottom, bytes, MADV_DONTNEED) == 0, "pages of a stack can be given back");
  }
  --acquired_;
  free_.push_back(stack);
}

bool StackSlabs::is_overflown(const StackSpan& stack, const void* stack_pointer) {
  const std::byte* limit = stack.bottom + red_zone_bytes;
  return static_cast<const std::byte*>(stack_pointer) < limit || is_touched(limit - canary_bytes);
}

bool StackSlabs::is_lost(const StackSpan& stack, const void* stack_pointer) {
  return static_cast<const std::byte*>(stack_pointer) < stack.bottom + canary_bytes || is_touched(stack.bottom);
}

void StackSlabs::map_slab() {
  // Where so much address space is refused, a smaller slab may do.
  for (std::size_t stacks = stacks_per_slab; stacks > 0; stacks /= 4) {
    const std::size_t bytes = stacks * slot_bytes_;
    void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) continue;
    madvise(mapped, bytes, MADV_NOHUGEPAGE);  // fails only where there are none
    next_ = static_cast<std::byte*>(mapped);
    end_ = next_ + bytes;
    slabs_.push_back({next_, bytes});
    return;
  }
  throw std::bad_alloc();
}

}  // namespace rehearse
