// SPDX-License-Identifier: MIT
//
// The common base of mutexes, semaphores, barriers, condition variables and shared variables: a name that shows which
// actors use the same object.
#pragma once

#include <cstdint>

namespace rehearse::sim {

namespace kernel {
struct ActorRecord;
struct Footprint;

// Equal in all executions with the same history; 0: made before a simulation existed.
std::uint64_t name_of_new_object();
// Records that the running actor, if any, makes an access that it did not announce.
void strays();
}  // namespace kernel

class SharedObject {
 protected:
  SharedObject() = default;
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;
  ~SharedObject() = default;

  // The calling actor is about to make this access. Adds the object's number to the footprint.
  kernel::ActorRecord& touch(kernel::Footprint footprint);
  std::uint64_t name() const { return name_; }
  // For races: what the calling actor did so far comes before what actors do that acquire the object later.
  void note_release() const;
  void note_acquire() const;

 private:
  // An object that is older than the simulation has no name.
  std::uint64_t clock_number() const { return name_ != 0 ? name_ : reinterpret_cast<std::uintptr_t>(this); }

  std::uint64_t name_ = kernel::name_of_new_object();
  std::uint32_t number_ = 0;  // for reports, assigned at the first use
};

}  // namespace rehearse::sim
