// SPDX-License-Identifier: MIT
//
// What mutexes, semaphores, barriers, condition variables and shared variables have in common: a name by which actors
// that touch the same can be distinguished from those that do not.
#pragma once

#include <cstdint>

namespace rehearse::sim {

namespace kernel {
struct ActorRecord;
struct Footprint;

// The same in every execution that led to this; 0: made before there was a simulation.
std::uint64_t name_of_new_object();
// The running actor, if one runs, looks at or changes something that it did not announce.
void strays();
}  // namespace kernel

class SharedObject {
 protected:
  SharedObject() = default;
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;
  ~SharedObject() = default;

  // The calling actor, which is about to do this to the object. Gives the footprint the object's number.
  kernel::ActorRecord& touch(kernel::Footprint footprint);
  std::uint64_t name() const { return name_; }

 private:
  std::uint64_t name_ = kernel::name_of_new_object();
  std::uint32_t number_ = 0;  // for people, given at the first use
};

}  // namespace rehearse::sim
