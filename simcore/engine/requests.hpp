// SPDX-License-Identifier: MIT
//
// The requests of all actors, from their start until they are observed or released.
//
// Ownership: this object owns the requests; dispose() also releases the request's message or access, or its
//            place in a collective.
#pragma once

#include "simcore/engine/actor_table.hpp"
#include "simcore/engine/collective_spaces.hpp"
#include "simcore/engine/pending_access.hpp"
#include "simcore/engine/polls.hpp"
#include "simcore/engine/pool.hpp"
#include "simcore/engine/state.hpp"

namespace rehearse::engine {

class Requests {
 public:
  Requests(ActorTable& actors, Polls& polls, Pool<Message>& messages, CollectiveSpaces& spaces,
           Pool<PendingAccess>& accesses)
      : actors_(actors), polls_(polls), messages_(messages), spaces_(spaces), accesses_(accesses) {}

  Request& make(ActorId actor, RequestId id, Request::Kind kind);
  Request& operator[](std::uint32_t index) { return pool_[index]; }

  // The request is done: its actor continues, if it waits for it.
  void complete(Request& request);
  // The actor will not observe the request.
  void release(ActorState& actor, RequestId id);
  // Releases a request that is done and not needed any more, with its message or its place in a collective.
  void dispose(Request& request);
  // The same, but for a request whose message is still in use: the message stays.
  void give_back(Request& request) { pool_.give_back(request); }

  template <class Visit>
  void for_each_live(Visit visit) {
    pool_.for_each_live(visit);
  }

 private:
  ActorTable& actors_;
  Polls& polls_;
  Pool<Message>& messages_;
  CollectiveSpaces& spaces_;
  Pool<PendingAccess>& accesses_;
  Pool<Request> pool_;
};

}  // namespace rehearse::engine
