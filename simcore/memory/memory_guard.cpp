// SPDX-License-Identifier: MIT
//
// Opens and closes the memory of actors.
#include "simcore/memory_guard.hpp"

#include "simcore/support/assert.hpp"

namespace rehearse {
void MemoryGuard::add(ActorMemory& memory) {
  all_.push_back(&memory);
  open_.push_back(&memory);
  open_.reserve(2 * all_.size());  // open() must not allocate: a signal handler may call it
}

bool MemoryGuard::exceeds_budget(Clock::time_point now) const {
  constexpr int share = 6;  // closing may take 1/share of the time
  return !is_strict_ && taken_ > granted_ && taken_ - granted_ > (now - begin_) / share;
}

void MemoryGuard::open_again(ActorMemory& memory) {
  const Clock::time_point begin = Clock::now();
  if (!memory.open()) return fail();
  open_.push_back(&memory);
  taken_ += Clock::now() - begin;
}

void MemoryGuard::close_all_but(const ActorMemory& memory) {
  REHEARSE_ASSERT(memory.is_open(), "an actor runs in closed memory");
  const Clock::time_point begin = Clock::now();
  if (has_failed_) return;
  if (exceeds_budget(begin)) {
    was_left_out_ = true;
    return;
  }
  for (ActorMemory* other : open_)
    if (other != &memory && !other->close()) return fail();
  std::erase_if(open_, [](const ActorMemory* other) { return !other->is_open(); });
  taken_ += Clock::now() - begin;
}

// Opening merges more mappings than it splits, so memory that could be closed can be opened.
void MemoryGuard::fail() {
  has_failed_ = true;
  open_ = all_;
  for (ActorMemory* memory : all_) REHEARSE_ASSERT(memory->open(), "memory that was closed cannot be opened again");
}

}  // namespace rehearse
