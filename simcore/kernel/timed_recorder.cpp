// SPDX-License-Identifier: MIT
//
// See timed_recorder.hpp.
#include "simcore/kernel/timed_recorder.hpp"

#include <array>

#include "simcore/debug.hpp"
#include "simcore/kernel/kernel.hpp"
#include "simcore/kernel/put_get_queue.hpp"

namespace rehearse::sim::kernel {
namespace {

using remote::Act;
using remote::TimedEvent;

constexpr std::size_t frames_max = 16;

Act act_of(const ActorRecord& actor, Waiting waiting, const void* object) {
  if (waiting == Waiting::date) return Act::sleeps;
  if (waiting != Waiting::activity) return Act::waits;
  const auto& activity = *static_cast<const ActivityRecord*>(object);
  switch (activity.kind) {
    case ActivityKind::comm:
    case ActivityKind::mess:
      if (activity.place == nullptr) return Act::sends;
      return activity.issuer == &actor ? Act::sends : Act::receives;
    case ActivityKind::exec: return Act::executes;
    case ActivityKind::io: return Act::uses_disk;
    case ActivityKind::pause: return Act::sleeps;
  }
  return Act::waits;
}

}  // namespace

TimedRecorder::TimedRecorder(Kernel& kernel, remote::Connection& connection)
    : kernel_(kernel), connection_(connection) {
  kernel_.scheduler().set_watch(this);
  kernel_.callbacks().on_actor_start.push_back([this](const ActorHandle& handle) {
    const ActorRecord& actor = *handle.record();
    send({TimedEvent::Kind::start,
          Act::waits,
          actor.pid,
          0,
          kernel_.now(),
          kernel_.now(),
          kernel_.costs().host_speed(actor.host, kernel_.now()),
          actor.name,
          kernel_.host_name(actor.host),
          {}});
  });
  kernel_.callbacks().on_actor_end.push_back([this](const ActorHandle& handle) {
    waits_.erase(handle.record());
    send({TimedEvent::Kind::end, Act::waits, handle.record()->pid, 0, kernel_.now(), kernel_.now(), 0, "", "", {}});
  });
  kernel_.callbacks().on_activity_end.push_back(
      [this](const Activity& activity) { message_ended(activity.record()->present()); });
}

TimedRecorder::~TimedRecorder() { kernel_.scheduler().set_watch(nullptr); }

void TimedRecorder::begins(const ActorRecord& actor) {
  Wait& wait = waits_[&actor];
  wait.begin = kernel_.now();
  wait.what = kernel_.describe(actor);
  std::array<std::uintptr_t, frames_max> frames;
  const std::size_t count = capture_stack(frames);
  wait.frames.assign(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(count));
}

TimedEvent TimedRecorder::interval_of(const ActorRecord& actor, Waiting waiting, const void* object, const Wait& wait) {
  TimedEvent event{TimedEvent::Kind::interval,
                   act_of(actor, waiting, object),
                   actor.pid,
                   0,
                   wait.begin,
                   kernel_.now(),
                   0,
                   wait.what,
                   "",
                   wait.frames};
  if (waiting == Waiting::activity) event.amount = static_cast<const ActivityRecord*>(object)->present().amount;
  return event;
}

void TimedRecorder::ends(const ActorRecord& actor, Waiting waiting, const void* object) {
  const auto found = waits_.find(&actor);
  if (found == waits_.end()) return;
  if (kernel_.now() > found->second.begin) send(interval_of(actor, waiting, object, found->second));
  waits_.erase(found);
}

void TimedRecorder::message_ended(const ActivityRecord& activity) {
  if (activity.kind != ActivityKind::comm || activity.state != ActivityState::finished) return;
  if (activity.issuer == nullptr || activity.receiver == nullptr) return;
  send({TimedEvent::Kind::message,
        Act::sends,
        activity.issuer->pid,
        activity.receiver->pid,
        activity.started,
        activity.finished,
        activity.amount,
        activity.place == nullptr ? "" : activity.place->name,
        "",
        {}});
}

void TimedRecorder::cut() {
  for (ActorRecord* actor : kernel_.actors().living()) {
    const auto found = waits_.find(actor);
    if (found == waits_.end()) continue;
    TimedEvent event = interval_of(*actor, actor->waiting, actor->object, found->second);
    event.kind = TimedEvent::Kind::cut;
    send(event);
  }
}

void TimedRecorder::send(const TimedEvent& event) {
  connection_.send({remote::MessageKind::event, remote::to_bytes(event)});
}

}  // namespace rehearse::sim::kernel
