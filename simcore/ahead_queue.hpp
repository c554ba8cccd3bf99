// SPDX-License-Identifier: MIT
//
// Operations after which an actor has continued without waiting, because their answers have no content.
//
// Kept:      messages that leave at once and are small enough to be copied, posted receives that are not waited for,
//            and released requests. Everything else, and what has no room, stops the actor, behind what is kept.
// Use:       a Program (see Program::run_ahead) hangs a queue that is empty into the context of an actor before it
//            enters it (actor_context.hpp). Afterwards it shows what is in the queue first, each with front() and
//            pop(), and then where the actor stands.
// Ownership: nothing here allocates: the queue is written on the actor and read on the side of its driver.
// Threads:   none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "simcore/operation.hpp"
#include "simcore/program.hpp"

namespace rehearse {

class ApplicationMeter;

class AheadQueue {
 public:
  explicit AheadQueue(const RunAhead& limits) : limits_(limits) {}
  AheadQueue(const AheadQueue&) = delete;
  AheadQueue& operator=(const AheadQueue&) = delete;

  const RunAhead& limits() const { return limits_; }
  bool is_empty() const { return first_ == end_; }

  // From now on keep() also notes the place and the function of the actor's call. These find them from its slot; either
  // may be null.
  using FindPlace = const void* (*)(const void* slot);
  using FindFunction = std::uint64_t (*)(const void* slot);
  void note_calls(FindPlace place, FindFunction function) {
    find_place_ = place;
    find_function_ = function;
  }

  // On the actor: whether it may continue behind the operation, which is then copied, and with it what the actor's own
  // code used before it. The meter may be null.
  bool keep(const Operation& operation, ApplicationMeter* meter, const void* slot = nullptr);

  // On the side of the driver, once the actor stands: `meter` (null: none) shows the own code of what is shown next.
  void begin(ApplicationMeter* meter);
  const Operation& front() const { return entries_[first_].operation; }
  // The call of front(), as noted.
  const void* place() const { return entries_[first_].place; }
  std::uint64_t function() const { return entries_[first_].function; }
  void pop(ApplicationMeter* meter);

 private:
  static constexpr std::size_t most_operations = 16;
  static constexpr std::size_t most_bytes = 4096;
  struct Entry {
    Operation operation;
    std::uint64_t application_cost = 0;
    const void* place = nullptr;
    std::uint64_t function = 0;
  };

  bool keep_send(const Send& send);

  RunAhead limits_;
  FindPlace find_place_ = nullptr;
  FindFunction find_function_ = nullptr;
  std::uint32_t first_ = 0;
  std::uint32_t end_ = 0;
  std::uint32_t used_bytes_ = 0;
  std::uint64_t last_application_ = 0;  // of where the actor stands
  std::array<Entry, most_operations> entries_;
  std::array<std::byte, most_bytes> bytes_;
};

}  // namespace rehearse
