// SPDX-License-Identifier: MIT
//
// What code that runs inside an actor can do: ask, and know who it is.
//
// Threads: only from the actor's own fiber.
#pragma once

#include <cstdint>

#include "simcore/ids.hpp"
#include "simcore/observation.hpp"
#include "simcore/operation.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse {

class ActorLists;
class ApplicationMeter;

// What code on an actor needs to know of it all the time.
struct ActorIdentity {
  ActorId id;
  std::uint32_t actor_count = 1;  // of its Program
  void* slot = nullptr;           // actor_slot()
};

namespace detail {
// Of the actor that runs now; null: none does. Set by set_current_context().
extern constinit thread_local ActorIdentity* current_identity;
}  // namespace detail

// Pauses the calling actor at `operation` until the driver answers. The answer is valid until the next ask().
// Does not return after End and Fail.
const Observation& ask(const Operation& operation);

// While one lives, what runs on the calling actor is not application code but a library's, and is not measured as its
// own. Brief code takes next to no time and about the same each time: an inquiry that does not ask.
class LibraryCode {
 public:
  enum class Length : std::uint8_t { any, brief };

  explicit LibraryCode(Length length = Length::any);
  ~LibraryCode();
  LibraryCode(const LibraryCode&) = delete;
  LibraryCode& operator=(const LibraryCode&) = delete;

 private:
  ApplicationMeter* paused_ = nullptr;  // null: it was not going, or is not paused for this
  Length length_;
};

// The calling actor; asserted to exist.
inline ActorId current_actor() {
  REHEARSE_ASSERT(detail::current_identity != nullptr, "current_actor() outside of an actor");
  return detail::current_identity->id;
}

// How many actors the calling actor's program has: those are 0 .. actor_count()-1.
inline std::uint32_t actor_count() {
  REHEARSE_ASSERT(detail::current_identity != nullptr, "actor_count() outside of an actor");
  return detail::current_identity->actor_count;
}

// Of the calling actor's program; not the actor's own memory.
ActorLists& actor_lists();

// Whether the calling code runs inside an actor at all.
inline bool in_actor() { return detail::current_identity != nullptr; }

// One pointer per actor for the library that runs on it; null at the actor's start. Part of the actor's memory.
inline void*& actor_slot() {
  REHEARSE_ASSERT(detail::current_identity != nullptr, "actor_slot() outside of an actor");
  return detail::current_identity->slot;
}

}  // namespace rehearse
