// SPDX-License-Identifier: MIT
//
// See actor_recording.hpp.
#include <algorithm>

#include "app/actor_recording.hpp"
#include "simcore/platform_builder.hpp"

namespace rehearse::app {
namespace {

using Act = ActorEvent::Act;

Doing doing_of(Act act) {
  switch (act) {
    case Act::waits: return Doing::wait;
    case Act::sends: return Doing::send;
    case Act::receives: return Doing::receive;
    case Act::executes: return Doing::computation;
    case Act::sleeps: return Doing::pause;
    case Act::uses_disk: return Doing::other;
  }
  return Doing::other;
}

// "receive (a message in mailbox 'ring')"; empty for a computation.
std::string text_of(const ActorEvent& event) {
  switch (event.act) {
    case Act::waits: return "wait (" + event.name + ")";
    case Act::sends: return "send (" + event.name + ")";
    case Act::receives: return "receive (" + event.name + ")";
    case Act::executes: return "";
    case Act::sleeps: return "sleep";
    case Act::uses_disk: return "disk access";
  }
  return "";
}

}  // namespace

void ActorRecorder::add(const ActorEvent& event) {
  if (event.kind == ActorEvent::Kind::start) return start(event);
  const auto found = lanes_.find(event.actor);
  if (found == lanes_.end()) return;
  switch (event.kind) {
    case ActorEvent::Kind::start: break;
    case ActorEvent::Kind::interval:
    case ActorEvent::Kind::open: return add_interval(event, found->second);
    case ActorEvent::Kind::end:
      recording_.stops[found->second].state = ActorOutcome::State::ended;
      recording_.stops[found->second].time = event.begin;
      return;
    case ActorEvent::Kind::message: {
      const auto peer = lanes_.find(event.peer);
      if (peer == lanes_.end()) return;
      RecordedMessage& message = recording_.messages.emplace_back();
      message.source = found->second;
      message.destination = peer->second;
      message.bytes = static_cast<std::uint64_t>(event.amount);
      message.sent = event.begin;
      message.arrived = event.end;
      return;
    }
  }
}

void ActorRecorder::start(const ActorEvent& event) {
  lanes_[event.actor] = static_cast<std::uint32_t>(recording_.stops.size());
  auto host = std::ranges::find(hosts_, event.host, &KnownHost::name);
  if (host == hosts_.end()) host = hosts_.insert(host, {event.host, event.amount});
  RecordedStop& stop = recording_.stops.emplace_back();
  stop.host = HostId{static_cast<std::uint32_t>(host - hosts_.begin())};
  stop.state = ActorOutcome::State::blocked;
  recording_.lanes.push_back(event.name);
}

std::uint32_t ActorRecorder::place_of(const Frame& frame) {
  if (frame.file.empty()) return 0;
  const RecordedPlace place{recording_.texts.add(frame.function), recording_.texts.add(frame.file), frame.line};
  const auto known = std::ranges::find(recording_.places, place);
  if (known != recording_.places.end()) return static_cast<std::uint32_t>(known - recording_.places.begin());
  recording_.places.push_back(place);
  return static_cast<std::uint32_t>(recording_.places.size() - 1);
}

void ActorRecorder::add_interval(const ActorEvent& event, std::uint32_t lane) {
  if (recording_.places.empty()) recording_.places.emplace_back();  // 0 is unknown
  Interval interval;
  interval.rank = lane;
  interval.text = recording_.texts.add(text_of(event));
  interval.place = place_of(event.at);
  interval.begin = event.begin;
  interval.end = event.end;
  interval.doing = doing_of(event.act);
  if (event.act == Act::executes) interval.flops = event.amount;
  interval.is_open = event.kind == ActorEvent::Kind::open;
  if (interval.is_open) recording_.stops[lane].interval = static_cast<std::uint32_t>(recording_.intervals.size());
  recording_.intervals.push_back(interval);
}

// A message is drawn between the intervals in which its sender and its receiver waited for it.
void ActorRecorder::connect(RecordedMessage& message) const {
  for (std::uint32_t i = 0; i < recording_.intervals.size(); ++i) {
    const Interval& interval = recording_.intervals[i];
    if (interval.begin > message.arrived || interval.end < message.sent) continue;
    if (interval.rank == message.source && interval.doing == Doing::send) message.sender = i;
    if (interval.rank == message.destination && interval.doing == Doing::receive) message.receiver = i;
  }
}

Result<ActorPictures> ActorRecorder::finish(const std::string& platform, TimePoint end, const ActorsEnd& stops) {
  if (recording_.places.empty()) recording_.places.emplace_back();
  recording_.end = end;
  for (RecordedMessage& message : recording_.messages) connect(message);
  for (std::uint32_t lane = 0; lane < recording_.stops.size(); ++lane) {
    RecordedStop& stop = recording_.stops[lane];
    const auto has_failed = [&](const ActorStop& failed) { return failed.actor == recording_.lanes[lane]; };
    if (std::ranges::any_of(stops.failed, has_failed)) stop.state = ActorOutcome::State::failed;
    else if (stop.state == ActorOutcome::State::blocked) stop.time = end;
  }
  PlatformBuilder builder;
  const PointId zone = builder.add_zone(builder.world(), "hosts", ZoneRouting::full);
  for (const KnownHost& host : hosts_) builder.add_host(zone, {host.name, {std::max(host.speed, 1.0)}});
  auto made = builder.finish(platform);
  if (!made) return made.error();
  return ActorPictures{std::move(recording_), std::move(made.value())};
}

}  // namespace rehearse::app
