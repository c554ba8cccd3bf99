// SPDX-License-Identifier: MIT
//
// Operations after which an actor has continued without waiting, because their answers have no content.
//
// Kept:      messages that leave at once and are small enough to copy, nonblocking receives, nonblocking accesses to
//            other actors' memory with little data, traffic, and releases of requests. Any other operation, and one
//            without room in the queue, stops the actor.
// Use:       a Program (see Program::run_ahead) puts an empty queue into the context of an actor before it enters the
//            actor (actor_context.hpp). Then it shows the operations in the queue, with front() and pop(), and then the
//            operation at which the actor stopped.
// Ownership: nothing here allocates, because the actor writes the queue and the driver reads it.
// Threads:   none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

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

  // From now on keep() also records the place and the function of the actor's call. These callbacks find them from the
  // actor's slot; either may be null.
  using FindPlace = const void* (*)(const void* slot);
  using FindFunction = std::uint64_t (*)(const void* slot);
  void note_calls(FindPlace place, FindFunction function) {
    find_place_ = place;
    find_function_ = function;
  }

  // Called on the actor. True: the operation is in the queue and the actor may continue. Records the time of the
  // application code before it, too. The meter may be null.
  bool keep(const Operation& operation, ApplicationMeter* meter, const void* slot = nullptr);

  // Called by the driver after the actor has stopped. Sets `meter` (null: none) to the time before the next operation.
  void begin(ApplicationMeter* meter);
  const Operation& front() const { return entries_[first_].operation; }
  // The recorded call of front().
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
  bool keep_access(const RemoteAccess& access);
  bool has_room_for(std::span<const std::byte> data) const;
  std::span<const std::byte> copy(std::span<const std::byte> data);

  RunAhead limits_;
  FindPlace find_place_ = nullptr;
  FindFunction find_function_ = nullptr;
  std::uint32_t first_ = 0;
  std::uint32_t end_ = 0;
  std::uint32_t used_bytes_ = 0;
  std::uint64_t last_application_ = 0;  // before the operation at which the actor stopped
  std::array<Entry, most_operations> entries_;
  std::array<std::byte, most_bytes> bytes_;
};

}  // namespace rehearse
