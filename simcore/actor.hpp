// SPDX-License-Identifier: MIT
//
// The functions for code that runs inside an actor: ask, and the identity of the actor.
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

// The identity of the running actor.
struct ActorIdentity {
  ActorId id;
  std::uint32_t actor_count = 1;  // of its Program
  void* slot = nullptr;           // actor_slot()
};

namespace detail {
// The identity of the running actor; null: none runs. Set by set_current_context().
extern constinit thread_local ActorIdentity* current_identity;
}  // namespace detail

// Pauses the calling actor at `operation` until the driver answers. The answer is valid until the next ask().
// Does not return after End and Fail.
const Observation& ask(const Operation& operation);

// While an object exists, the code on the calling actor is library code, and its time is not measured. Brief code takes
// a very short and nearly constant time, for instance an inquiry that asks no driver.
class LibraryCode {
 public:
  enum class Length : std::uint8_t { any, brief };

  explicit LibraryCode(Length length = Length::any);
  ~LibraryCode();
  LibraryCode(const LibraryCode&) = delete;
  LibraryCode& operator=(const LibraryCode&) = delete;

 private:
  ApplicationMeter* paused_ = nullptr;  // null: this object has not paused a meter
  Length length_;
};

// The calling actor; asserted to exist.
inline ActorId current_actor() {
  REHEARSE_ASSERT(detail::current_identity != nullptr, "current_actor() outside of an actor");
  return detail::current_identity->id;
}

// The number of actors of the calling actor's program. Their ids are 0 to actor_count() - 1.
inline std::uint32_t actor_count() {
  REHEARSE_ASSERT(detail::current_identity != nullptr, "actor_count() outside of an actor");
  return detail::current_identity->actor_count;
}

// The lists of the calling actor's program. They are not in the actor's memory.
ActorLists& actor_lists();

// Whether the calling code runs inside an actor.
inline bool in_actor() { return detail::current_identity != nullptr; }

// One pointer per actor for the library that runs on it; null at the actor's start. Part of the actor's memory.
inline void*& actor_slot() {
  REHEARSE_ASSERT(detail::current_identity != nullptr, "actor_slot() outside of an actor");
  return detail::current_identity->slot;
}

}  // namespace rehearse
