// SPDX-License-Identifier: MIT
//
// Slabs without guards.
#include "simcore/fiber/stack_slabs.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <new>

#include "simcore/support/assert.hpp"
#include "simcore/support/page.hpp"

namespace rehearse {
namespace {

constexpr std::size_t slab_stacks = 4096;
constexpr std::size_t canary_bytes = 64;
constexpr std::size_t stagger_steps = 8;
constexpr std::size_t stagger_bytes = 128;
constexpr std::size_t many_stacks = 1024;
constexpr std::size_t deep_stacks = 256;

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
  if (is_touched(stack.bottom + red_zone_bytes - canary_bytes) || is_touched(stack.bottom))
    REHEARSE_ASSERT(madvise(stack.bottom, slot_bytes_, MADV_DONTNEED) == 0, "the kernel takes pages of a stack back");
  else if (deep && acquired_ > many_stacks) deep_.push_back(stack.bottom);
  --acquired_;
  free_.push_back(stack);
  if (deep_.size() == deep_stacks) give_back_deep();
}

// Gives neighbours back together, because each range costs a system call and a flush of the address cache. Skips stacks
// that are in use again.
void StackSlabs::give_back_deep() {
  std::vector<std::byte*> free;
  for (auto stack = free_.end() - static_cast<std::ptrdiff_t>(std::min(free_.size(), deep_.size()));
       stack != free_.end(); ++stack)
    free.push_back(stack->bottom);
  std::sort(free.begin(), free.end());
  std::sort(deep_.begin(), deep_.end());
  std::vector<std::byte*> both;
  std::set_intersection(free.begin(), free.end(), deep_.begin(), deep_.end(), std::back_inserter(both));
  for (std::size_t i = 0; i < both.size();) {
    std::size_t end = i + 1;
    while (end < both.size() && both[end] == both[end - 1] + slot_bytes_) ++end;
    REHEARSE_ASSERT(madvise(both[i], (end - i) * slot_bytes_, MADV_DONTNEED) == 0, "the kernel takes pages back");
    i = end;
  }
  deep_.clear();
}

bool StackSlabs::is_overflown(const StackSpan& stack, const void* stack_pointer) {
  const std::byte* limit = stack.bottom + red_zone_bytes;
  return static_cast<const std::byte*>(stack_pointer) < limit || is_touched(limit - canary_bytes);
}

bool StackSlabs::is_lost(const StackSpan& stack, const void* stack_pointer) {
  return static_cast<const std::byte*>(stack_pointer) < stack.bottom + canary_bytes || is_touched(stack.bottom);
}

void StackSlabs::map_slab() {
  // If the kernel refuses the address space, try a smaller slab.
  for (std::size_t stacks = slab_stacks; stacks > 0; stacks /= 4) {
    const std::size_t bytes = stacks * slot_bytes_;
    void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) continue;
    madvise(mapped, bytes, MADV_NOHUGEPAGE);  // fails only if there are no huge pages
    next_ = static_cast<std::byte*>(mapped);
    end_ = next_ + bytes;
    slabs_.push_back({next_, bytes});
    return;
  }
  throw std::bad_alloc();
}

}  // namespace rehearse
