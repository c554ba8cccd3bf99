// SPDX-License-Identifier: MIT
//
// See requests.hpp.
#include "simcore/engine/requests.hpp"

namespace rehearse::engine {

Request& Requests::make(ActorId actor, RequestId id, Request::Kind kind) {
  Request& request = pool_.take();
  // The pattern and the member mean something only for the kind that sets them.
  request.kind = kind;
  request.is_done = request.is_released = request.is_awaited = false;
  request.place = 0;
  request.message = nullptr;
  request.instance = nullptr;
  request.access = nullptr;
  request.actor = actor;
  request.id = id;
  return request;
}

void Requests::complete(Request& request) {
  request.is_done = true;
  ActorState& actor = actors_[request.actor];
  if (actor.request == &request) return actors_.make_ready(request.actor);
  if (request.is_awaited) {
    request.is_awaited = false;
    if (actor.awaited > 0 && --actor.awaited == 0) actors_.make_ready(request.actor);
  } else if (request.is_released) {
    dispose(request);
  } else {
    polls_.end(request.actor);
  }
}

void Requests::release(ActorState& actor, RequestId id) {
  Request& request = actor.requests.take(id);
  request.is_released = true;
  if (request.kind == Request::Kind::send && request.message) request.message->is_released = true;
  if (request.is_done) dispose(request);
}

void Requests::dispose(Request& request) {
  if (request.kind == Request::Kind::collective) {
    Instance& instance = *request.instance;
    pool_.give_back(request);
    return spaces_.leave(instance);
  }
  if (request.access) accesses_.give_back(*request.access);
  if (request.message) messages_.give_back(*request.message);
  pool_.give_back(request);
}

}  // namespace rehearse::engine
