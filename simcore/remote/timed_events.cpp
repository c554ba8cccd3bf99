// SPDX-License-Identifier: MIT
//
// See timed_events.hpp.
#include "simcore/remote/timed_events.hpp"

#include "simcore/remote/reports.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::remote {
namespace {

ActorEvent::Kind kind_of(TimedEvent::Kind kind) {
  switch (kind) {
    case TimedEvent::Kind::start: return ActorEvent::Kind::start;
    case TimedEvent::Kind::interval: return ActorEvent::Kind::interval;
    case TimedEvent::Kind::message: return ActorEvent::Kind::message;
    case TimedEvent::Kind::end: return ActorEvent::Kind::end;
    case TimedEvent::Kind::cut: break;
  }
  return ActorEvent::Kind::open;
}

ActorEvent::Act act_of(Act act) {
  switch (act) {
    case Act::waits: break;
    case Act::sends: return ActorEvent::Act::sends;
    case Act::receives: return ActorEvent::Act::receives;
    case Act::executes: return ActorEvent::Act::executes;
    case Act::sleeps: return ActorEvent::Act::sleeps;
    case Act::uses_disk: return ActorEvent::Act::uses_disk;
  }
  return ActorEvent::Act::waits;
}

}  // namespace

ActorEvent event_of(const std::string& bytes, const Places& places) {
  TimedEvent given;
  REHEARSE_ASSERT(from_bytes(bytes, given), "an event of the program");
  ActorEvent event{kind_of(given.kind), act_of(given.act), given.actor, given.peer, given.begin,
                   given.end,           given.amount,      given.name,  given.host, {}};
  if (const auto frames = places.find(given.frames); !frames.empty()) event.at = frames.front();
  return event;
}

}  // namespace rehearse::remote
