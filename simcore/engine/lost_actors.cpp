// SPDX-License-Identifier: MIT
//
// Losses of actors, and activities that fail because a host or link is off.
//
// Method: a lost actor stops waiting, and its driver tells it so instead of an answer. Then it gives notices and ends.
//         What others have started with it goes on, or fails with its host and has no end.
#include <algorithm>
#include <utility>
#include <variant>

#include "simcore/engine/core.hpp"
#include "simcore/support/format.hpp"

namespace rehearse {

void Engine::Core::lose(ActorId id) {
  ActorState& actor = actors_[id];
  if (actor.wait == Wait::never) return;
  if (run_.options.timeline != nullptr && actor.wait == Wait::computation)
    run_.options.timeline->on_computation(id, actor.began, agenda_.now());
  stop_waiting(id, actor);
  if (actor.operation == nullptr) actor.operation = &run_.program.next(id);
  actor.is_lost = true;
  actors_.note_progress();
  actors_.make_ready(id);
}

// Its timers are void. The requests that it waits for go on without it.
void Engine::Core::stop_waiting(ActorId id, ActorState& actor) {
  ++actor.timer;
  actor.debt = actor.ahead = {};
  actor.has_paid = false;
  actor.idles = actor.poll_is_over = false;
  if (actor.wait == Wait::overhead) agenda_.end_flight();
  if (actor.is_ready) return;
  const bool computes = actor.wait == Wait::computation ||
                        (actor.wait == Wait::pause && std::holds_alternative<Compute>(*actor.operation));
  if (computes) agenda_.cancel_computation(id);
  if (actor.wait == Wait::computation) {
    actors_.result(id).compute_seconds += (agenda_.now() - actor.began).seconds();
    actor.began = agenda_.now();
  }
  if (actor.wait == Wait::pause && std::holds_alternative<Sleep>(*actor.operation)) agenda_.end_sleep();
  if (actor.wait == Wait::request) std::exchange(actor.request, nullptr)->is_released = true;
  if (const auto* observe = std::get_if<Observe>(actor.operation); observe != nullptr && actor.wait == Wait::observe)
    for (const RequestId request : observe->requests) actor.requests.find(request).is_awaited = false;
  actor.awaited = 0;
}

bool Engine::Core::is_of_lost(ActorId id) const {
  const Loss* loss = actors_[id].loss;
  return loss != nullptr && loss->date <= agenda_.now();
}

// Whether an activity fails because an actor that takes part in it is lost now.
bool Engine::Core::is_of_lost(const Continuation& activity) {
  switch (activity.kind) {
    case Continuation::Kind::computation: return is_of_lost(ActorId{activity.subject});
    case Continuation::Kind::arrival:
    case Continuation::Kind::answer:
    case Continuation::Kind::rendezvous: {
      const engine::Message& message = message_pool_[activity.subject];
      return is_of_lost(message.envelope.source) || is_of_lost(message.envelope.destination);
    }
    case Continuation::Kind::collective_announcement:
    case Continuation::Kind::collective_answer:
    case Continuation::Kind::collective:
    case Continuation::Kind::combination:
      return std::ranges::any_of(*spaces_[activity.subject].actors, [&](ActorId member) { return is_of_lost(member); });
    case Continuation::Kind::access_there:
    case Continuation::Kind::access_back:
    case Continuation::Kind::storage:
    case Continuation::Kind::work: return false;
  }
  return false;
}

void Engine::Core::note_failure(const Continuation& activity) {
  if (is_of_lost(activity)) {
    if (activity.kind != Continuation::Kind::computation) agenda_.end_flight();
    return;
  }
  const bool is_message = activity.kind == Continuation::Kind::arrival || activity.kind == Continuation::Kind::answer ||
                          activity.kind == Continuation::Kind::rendezvous;
  if (run_.options.reports_outages && is_message) return report_outage(message_pool_[activity.subject]);
  agenda_.fail_activity(activity);
}

void Engine::Core::report_outage(const engine::Message& message) {
  const std::string_view noun = run_.program.actor_noun();
  const ActorId source = message.envelope.source;
  const Frame at = run_.program.locate(source, message.origin);
  Finding finding;
  finding.id = std::string(link_outage);
  finding.message = fmt::format("the message with tag {} to {} {} is lost at {:.9g} s: a link on its way is off",
                                message.envelope.tag, noun, message.envelope.destination.value,
                                agenda_.now().seconds());
  finding.actors = {source};
  finding.locations = {{source, std::string(message.origin.call), at.file, at.line, at.function, "sent the message"}};
  run_.reports.emplace_back(source, std::move(finding));
  run_.is_stopped = true;
}

}  // namespace rehearse
