// SPDX-License-Identifier: MIT
//
// See observations.hpp.
#include "simcore/engine/observations.hpp"

#include <string>
#include <utility>
#include <variant>

#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::engine {

bool Observations::begin(ActorId id, ActorState& actor, const Observe& operation) {
  if (const Answer* forced = find_forced(id, actor)) return begin_forced(id, actor, operation, *forced);
  if (operation.blocking && !operation.withdraws && operation.quantifier == Quantifier::all) {
    await(actor, operation);
    if (actor.awaited > 0) return actors_.wait(actor, Wait::observe);
    answers_.say_all_done(actor, operation);
    return true;
  }
  if (choose(actor, operation)) {
    if (!operation.blocking) actors_.note_interaction(actor);
    answers_.say_done(actor, operation, chosen_);
    return true;
  }
  if (operation.withdraws && actor.requests.find(operation.requests.front()).message == nullptr) {
    withdraw(actor, operation);
    return true;
  }
  if (!operation.blocking && !operation.withdraws && !polls_.spins(actor)) {
    answers_.say_no();
    return true;
  }
  await(actor, operation);  // a receive that has its message cannot be withdrawn any more
  return operation.blocking || operation.withdraws ? actors_.wait(actor, Wait::observe) : polls_.wait(id, actor);
}

void Observations::withdraw(ActorState& actor, const Observe& operation) {
  Request& request = actor.requests.find(operation.requests.front());
  messages_.withdraw(request);
  actors_.note_interaction(actor);
  answers_.say_no();
  actor.requests.remove(request.id);
  requests_.give_back(request);
}

bool Observations::refuse(ActorId id, const ActorState& actor, const std::string& why) {
  run_.fail(fmt::format("the schedule does not fit the program: operation {}:o{}{}", id.value, actor.operations, why));
  return false;
}

bool Observations::begin_forced(ActorId id, ActorState& actor, const Observe& operation, const Answer& forced) {
  ++run_.used_decisions;
  actors_.note_interaction(actor);
  if (!forced.flag) {
    if (operation.blocking) return refuse(id, actor, " cannot be answered no");
    if (!operation.withdraws) {
      answers_.say_no();
      return true;
    }
    const Request& receive = actor.requests.find(operation.requests.front());
    if (receive.message == nullptr || receive.is_done) {
      withdraw(actor, operation);
      return true;
    }
    run_.fail(fmt::format(
        "the schedule does not fit the program: receive {}:r{} cannot be withdrawn, its message is on the way",
        id.value, receive.id.value));
    return false;
  }
  actor.awaited = 0;
  for (const std::uint32_t index : forced.completed) {
    if (index >= operation.requests.size()) return refuse(id, actor, fmt::format(" has no request {}", index));
    Request& request = actor.requests.find(operation.requests[index]);
    if (request.is_done) continue;
    request.is_awaited = true;
    ++actor.awaited;
  }
  if (actor.awaited > 0) return actors_.wait(actor, Wait::observe);
  chosen_ = forced.completed;
  answers_.say_done(actor, operation, chosen_);
  return true;
}

// Fills chosen_ with the requests that a yes reports. False: not yet.
bool Observations::choose(ActorState& actor, const Observe& operation) {
  chosen_.clear();
  for (std::uint32_t i = 0; i < operation.requests.size(); ++i) {
    const bool is_done = actor.requests.find(operation.requests[i]).is_done;
    if (!is_done && operation.quantifier == Quantifier::all) return false;
    if (!is_done) continue;
    chosen_.push_back(i);
    if (operation.quantifier == Quantifier::any) return true;
  }
  return !chosen_.empty();
}

void Observations::await(ActorState& actor, const Observe& operation) {
  actor.awaited = 0;
  const bool are_all = actor.requests.has_just(operation.requests);
  for (std::size_t i = 0; i < operation.requests.size(); ++i) {
    Request& request = are_all ? actor.requests.at(i) : actor.requests.find(operation.requests[i]);
    if (request.is_done) continue;
    request.is_awaited = true;
    ++actor.awaited;
  }
  if (operation.quantifier != Quantifier::all) actor.awaited = 1;
}

void Observations::forget(ActorState& actor, const Observe& operation) {
  // An actor that waited for all of them has observed the end of each.
  if (std::exchange(actor.awaited, 0) == 0 && operation.quantifier == Quantifier::all) return;
  for (const RequestId id : operation.requests) actor.requests.find(id).is_awaited = false;
}

void Observations::answer(ActorId id, ActorState& actor) {
  const Operation& operation = *actor.operation;
  const bool is_over = std::exchange(actor.poll_is_over, false);
  actor.idles = false;
  ++actor.timer;
  if (const auto* observe = std::get_if<Observe>(&operation)) {
    const Answer* forced = find_forced(id, actor);
    if (forced == nullptr && observe->blocking && !observe->withdraws && observe->quantifier == Quantifier::all) {
      actors_.note_interaction(actor);
      return answers_.say_all_done(actor, *observe);
    }
    forget(actor, *observe);
    if (forced) chosen_ = forced->completed;
    else if (!choose(actor, *observe)) return answers_.say_no();
    actors_.note_interaction(actor);
    return answers_.say_done(actor, *observe, chosen_);
  }
  const Probe& probe = std::get<Probe>(operation);
  Message* message = messages_.find_probed(id, actor, probe);
  REHEARSE_ASSERT(message != nullptr || is_over, "a probe that waited has found something");
  if (message == nullptr) return answers_.say_no();
  actors_.note_interaction(actor);
  answer_probe(actor, probe, *message);
}

bool Observations::begin(ActorId id, ActorState& actor, const Probe& operation) {
  const Answer* forced = find_forced(id, actor);
  if (forced) ++run_.used_decisions;
  if (forced && !forced->flag) {
    actors_.note_interaction(actor);
    answers_.say_no();
    return true;
  }
  if (Message* message = messages_.find_probed(id, actor, operation)) {
    if (!operation.blocking) actors_.note_interaction(actor);
    answer_probe(actor, operation, *message);
    return true;
  }
  if (operation.blocking || forced) return actors_.wait(actor, Wait::probe);
  if (polls_.spins(actor)) return polls_.wait(id, actor);
  answers_.say_no();
  return true;
}

// Nothing here prefers one way to the other: the first, unless a schedule says otherwise.
bool Observations::begin(ActorId id, ActorState& actor, const Choose& operation) {
  const Answer* forced = find_forced(id, actor);
  const std::uint32_t way = forced && !forced->completed.empty() ? forced->completed.front() : 0;
  if (forced) ++run_.used_decisions;
  if (way >= operation.count) return refuse(id, actor, fmt::format(" has only {} ways to go on", operation.count));
  actors_.note_interaction(actor);
  answers_.say_way(way);
  return true;
}

void Observations::answer_probe(ActorState& actor, const Probe& operation, Message& message) {
  if (operation.takes) Messages::take(actor, message);
  answers_.say_message(message);
}

}  // namespace rehearse::engine
