// SPDX-License-Identifier: MIT
//
// Collectives of known duration (simcore/collective_times.hpp): one event for all members.
//
// Shape:  every member needs every other, so a context has at most one such collective at a time.
// Dates:  an actor may arrive at a date in the future, if nothing can reach it before (see Core::begin of Sleep). A
//         timeline and a tap learn of its answers then, with their right dates.
// Order:  members continue in the order of their numbers.
// Errors: members that call different collectives, or bring different sizes, end the run by RunState::fail.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "simcore/collective_times.hpp"
#include "simcore/engine/actor_table.hpp"
#include "simcore/engine/agenda.hpp"
#include "simcore/engine/run_state.hpp"

namespace rehearse::engine {

class Gatherings {
 public:
  Gatherings(RunState& run, ActorTable& actors, Agenda& agenda);

  bool are_on() const { return run_.options.collective_times != nullptr; }
  // Whether actors may run ahead of the date of the run until they arrive.
  bool let_run_ahead() const { return runs_ahead_; }
  // Whether the collective is one whose duration may be known.
  bool take(const Collective& operation);

  // Requires: take(operation). Always returns false: the actor waits.
  bool enter(ActorId id, ActorState& actor, const Collective& operation, TimePoint arrival);
  // The members of the gathering of that number continue.
  void end(std::uint32_t number);
  // The answer to a member that continues.
  std::span<const std::span<const std::byte>> contributions(const Collective& operation) {
    return space_of(operation).contributions;
  }

 private:
  struct Space {
    std::uint32_t number = 0;
    std::vector<ActorId> members;
    std::uint32_t arrived = 0;
    std::uint64_t count = 0;  // of earlier ones
    TimePoint latest;         // arrival so far
    ActorId first;            // the actor that arrived first, and its call
    std::string name;
    const char* name_at = nullptr;  // of the first call: names are usually in the same place
    CollectiveShape shape;
    std::vector<std::span<const std::byte>> contributions;
  };

  Space& space_of(const Collective& operation);
  void start(Space& space, ActorId id, const Collective& operation);
  bool is_same(const Space& space, ActorId id, const Collective& operation);
  void close(Space& space);

  RunState& run_;
  ActorTable& actors_;
  Agenda& agenda_;
  bool runs_ahead_ = false;
  std::vector<Space> spaces_;
  std::unordered_map<std::uint64_t, std::uint32_t> number_of_;  // by context
  std::uint64_t last_context_ = 0;
  std::uint32_t last_number_ = 0;
};

}  // namespace rehearse::engine
