// SPDX-License-Identifier: MIT
//
// Accesses to the memory of other actors, and traffic that only takes time: from their start until they are over.
//
// Order: accesses of one actor to one target in one context take effect in the order of their start, although their
//        data may arrive in another order. An effect that is not possible yet is tried again after each other effect at
//        the target, and whenever the target makes an operation, in the order of their first tries.
// Time:  one transfer there and one back. The effect itself takes none.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <tuple>
#include <vector>

#include "simcore/engine/actor_table.hpp"
#include "simcore/engine/agenda.hpp"
#include "simcore/engine/pending_access.hpp"
#include "simcore/engine/pool.hpp"
#include "simcore/engine/requests.hpp"
#include "simcore/engine/run_state.hpp"

namespace rehearse::engine {

class Accesses {
 public:
  Accesses(RunState& run, ActorTable& actors, Agenda& agenda, Requests& requests, Pool<PendingAccess>& pool)
      : run_(run), actors_(actors), agenda_(agenda), requests_(requests), pool_(pool) {}

  Request& start(ActorId id, ActorState& actor, const RemoteAccess& operation);
  void start(ActorId id, ActorState& actor, const Traffic& operation);

  // The data of the access is at its target; or its answer is at its source.
  void arrive(std::uint32_t access);
  void come_back(std::uint32_t access);

  // Tries the effects that wait at this actor, whose own code has run.
  void retry(ActorId target) {
    if (waiting_ > 0) [[unlikely]]
      try_waiting(target);
  }

 private:
  // From one actor to one target in one context.
  using Way = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;

  PendingAccess& make(ActorId id, ActorId target);
  void travel(PendingAccess& access, std::uint64_t bytes);
  bool try_effect(PendingAccess& access);
  void try_waiting(ActorId target);

  RunState& run_;
  ActorTable& actors_;
  Agenda& agenda_;
  Requests& requests_;
  Pool<PendingAccess>& pool_;
  std::map<Way, std::deque<PendingAccess*>> ways_;              // accesses without effect so far
  std::map<std::uint32_t, std::vector<PendingAccess*>> tried_;  // by target: arrived, next on their ways
  std::size_t waiting_ = 0;                                     // in tried_
};

}  // namespace rehearse::engine
