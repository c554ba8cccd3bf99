// SPDX-License-Identifier: MIT
//
// See awaits.hpp.
#include "simcore/engine/awaits.hpp"

#include <algorithm>

namespace rehearse::engine {

Request& Awaits::start(ActorId id, const Work& operation) {
  Request& request = requests_.make(id, operation.request, Request::Kind::work);
  ++actors_[id].works;
  agenda_.begin_flight();  // its actor may be blocked until it is over
  agenda_.start_computation(id, operation.flops, {Continuation::Kind::work, request.index, 0});
  return request;
}

void Awaits::end_work(std::uint32_t index) {
  Request& request = requests_[index];
  --actors_[request.actor].works;
  requests_.complete(request);
}

bool Awaits::is_yes(ActorId id, ActorState& actor, const Awaited& question) {
  if (question.settles) return actor.traffic == 0;
  if (question.probed) return messages_.find_probed(id, actor, Probe{*question.probed}) != nullptr;
  const auto is_done = [&](RequestId request) { return actor.requests.find(request).is_done; };
  return question.quantifier == Quantifier::all ? std::ranges::all_of(question.requests, is_done)
                                                : std::ranges::any_of(question.requests, is_done);
}

void Awaits::choose(ActorId id, ActorState& actor, const Await& operation) {
  chosen_.clear();
  for (std::uint32_t i = 0; i < operation.questions.size(); ++i)
    if (is_yes(id, actor, operation.questions[i])) chosen_.push_back(i);
}

void Awaits::say() {
  answers_.say_indices(chosen_);
  answers_.say_date(agenda_.now());
}

void Awaits::mark(ActorState& actor, const Await& operation, bool is_awaited) {
  for (const Awaited& question : operation.questions)
    for (const RequestId id : question.requests) {
      Request& request = actor.requests.find(id);
      request.is_awaited = is_awaited && !request.is_done;
    }
  actor.awaited = is_awaited ? 1 : 0;  // the end of any of them is news
}

bool Awaits::begin(ActorId id, ActorState& actor, const Await& operation) {
  choose(id, actor, operation);
  const bool is_at_once = operation.limit && *operation.limit <= Duration{};
  if (!chosen_.empty() || is_at_once) {
    say();
    return true;
  }
  actor.works_meanwhile = actor.works > 0;
  mark(actor, operation, true);
  if (operation.limit) {
    agenda_.begin_sleep();
    agenda_.set_timer(id, actor, *operation.limit);
  }
  if (operation.polls) return operation.limit ? polls_.wait_until(actor) : polls_.wait_idle(id, actor);
  return actors_.wait(actor, operation.limit ? Wait::nap : Wait::await);
}

void Awaits::answer(ActorId id, ActorState& actor, const Await& operation) {
  if (operation.limit) agenda_.end_sleep();
  mark(actor, operation, false);
  actor.idles = false;
  actor.poll_is_over = false;
  ++actor.timer;
  choose(id, actor, operation);
  say();
}

}  // namespace rehearse::engine
