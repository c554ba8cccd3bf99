// SPDX-License-Identifier: MIT
//
// How the run ended: who stopped when and where, and what is left over.
#include <algorithm>

#include "simcore/collective_flow.hpp"
#include "simcore/engine/core.hpp"

namespace rehearse {

RunResult Engine::Core::make_result() {
  RunResult result;
  result.outcome.reports = std::move(reports_);
  for (std::uint32_t i = 0; i < actors_.size(); ++i) {
    const ActorId id{i};
    result.outcome.actors.push_back(outcome_of(id, actors_[i]));
    if (actors_[i].wait != Wait::never) results_[i].stopped = actors_[i].began;
    if (result.outcome.actors.back().state != ActorOutcome::State::ended &&
        actors_[i].operation != nullptr)
      results_[i].where = program_.describe(id);
    result.end = std::max(result.end, results_[i].stopped);
  }
  result.outcome.pending = pending();
  result.outcome.early = std::move(early_);
  add_places(result.outcome, program_);
  result.actors = std::move(results_);
  result.unused_decisions =
      options_.forced.matches.size() + options_.forced.answers.size() - used_decisions_;
  return result;
}

ActorOutcome Engine::Core::outcome_of(ActorId, ActorState& actor) {
  ActorOutcome outcome;
  outcome.state = ActorOutcome::State::blocked;
  if (actor.operation == nullptr) return outcome;
  if (const auto* end = std::get_if<End>(actor.operation)) {
    outcome.state = ActorOutcome::State::ended;
    outcome.exit_status = end->status;
  } else if (const auto* failure = std::get_if<Fail>(actor.operation)) {
    outcome.state = ActorOutcome::State::failed;
    outcome.failure = failure->kind;
    outcome.id = failure->id;
    outcome.what = failure->what;
  } else {
    add_waits(actor, outcome);
  }
  return outcome;
}

void Engine::Core::add_waits(ActorState& actor, ActorOutcome& outcome) {
  outcome.polling = actor.wait == Wait::poll || actor.wait == Wait::pause;
  if (actor.wait == Wait::request) outcome.waits_for.push_back(actor.request->id);
  if (const auto* probe = std::get_if<Probe>(actor.operation))
    outcome.probes.push_back(probe->pattern);
  const auto* observe = std::get_if<Observe>(actor.operation);
  if (observe == nullptr) return;
  outcome.any_suffices = observe->quantifier != Quantifier::all;
  for (const RequestId request : observe->requests)
    if (!actor.requests.find(request).is_done) outcome.waits_for.push_back(request);
}

std::vector<PendingRequest> Engine::Core::pending() {
  std::vector<PendingRequest> pending;
  messages_.for_each_live([&](const Message& message) {
    if (message.receive) return;
    PendingRequest& send = pending.emplace_back();
    send.actor = message.envelope.source;
    send.request = message.sent_by;
    send.context = message.envelope.context;
    send.destination = message.envelope.destination;
    send.tag = message.envelope.tag;
    send.mode = message.mode;
    send.bytes = message.data.size();
    send.origin = message.origin;
    send.completed = message.send == nullptr;
    send.released = message.is_released;
  });
  requests_.for_each_live([&](const Request& request) {
    const bool is_receive = request.kind == Request::Kind::receive && !request.message;
    const bool is_collective = request.kind == Request::Kind::collective && !request.is_done;
    if (!is_receive && !is_collective) return;
    PendingRequest& open = pending.emplace_back();
    open.kind = is_receive ? PendingRequest::Kind::receive : PendingRequest::Kind::collective;
    open.actor = request.actor;
    open.request = request.id;
    open.context = request.pattern.context;
    open.pattern = request.pattern;
    open.released = request.is_released;
    if (is_receive) return;
    const Instance& instance = *request.instance;
    const engine::Member& member = instance.members[request.member];
    open.context = instance.context;
    const bool differs = !member.name.empty();
    open.name = differs ? member.name : instance.name;
    open.number = instance.number;
    open.mismatch = member.mismatch;
    // With the first member, unless that one said nothing of what differs.
    const bool is_same_call = !differs || (member.name == instance.name && member.root == instance.root);
    const bool is_signature_told = instance.members[instance.signature_member].name.empty();
    const bool is_in_one_group = !instance.sides.are_there();
    const std::uint32_t with = is_in_one_group && is_same_call && is_signature_told ? instance.signature_member
                                                                                    : instance.first_member;
    open.mismatch_with = (*instance.actors)[with];
    open.mismatch_name = instance.name;
    open.own = {member.origin, {}, differs ? member.root : instance.root,
                differs ? member.signature : instance.signature, {}};
    open.other = {instance.members[with].origin, {}, instance.root, instance.signature, {}};
    // Between two groups nobody waits for its own group, unless everybody waits for everybody.
    const std::uint32_t first = options_.synchronising_collectives ? 0 : instance.sides.first();
    for (std::uint32_t i = 0; i < instance.members.size(); ++i)
      if (!instance.members[i].request && (first == 0 || are_apart(first, request.member, i)))
        open.missing.push_back((*instance.actors)[i]);
  });
  std::sort(pending.begin(), pending.end(), [](const PendingRequest& a, const PendingRequest& b) {
    return std::pair(a.actor, a.request) < std::pair(b.actor, b.request);
  });
  return pending;
}

}  // namespace rehearse
