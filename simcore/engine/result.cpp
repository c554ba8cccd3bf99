// SPDX-License-Identifier: MIT
//
// See result.hpp.
#include "simcore/engine/result.hpp"

#include <algorithm>
#include <utility>

#include "simcore/birth.hpp"
#include "simcore/collective_flow.hpp"

namespace rehearse::engine {

namespace {

// One of its threads suffices.
void add_waits(ActorState& actor, const Await& await, ActorOutcome& outcome) {
  outcome.any_suffices = await.questions.size() > 1;
  for (const Awaited& question : await.questions) {
    if (question.probed) outcome.probes.push_back(*question.probed);
    outcome.any_suffices |= question.quantifier != Quantifier::all;
    for (const RequestId request : question.requests)
      if (!actor.requests.find(request).is_done) outcome.waits_for.push_back(request);
  }
}

void add_waits(ActorState& actor, ActorOutcome& outcome) {
  outcome.polling = actor.wait == Wait::poll || actor.wait == Wait::pause;
  if (actor.wait == Wait::request) outcome.waits_for.push_back(actor.request->id);
  if (actor.wait == Wait::gathering) outcome.waits_for.push_back(std::get<Collective>(*actor.operation).request);
  if (const auto* probe = std::get_if<Probe>(actor.operation)) outcome.probes.push_back(probe->pattern);
  if (const auto* await = std::get_if<Await>(actor.operation)) return add_waits(actor, *await, outcome);
  const auto* observe = std::get_if<Observe>(actor.operation);
  if (observe == nullptr) return;
  outcome.any_suffices = observe->quantifier != Quantifier::all;
  for (const RequestId request : observe->requests)
    if (!actor.requests.find(request).is_done) outcome.waits_for.push_back(request);
}

ActorOutcome outcome_of(ActorState& actor) {
  ActorOutcome outcome;
  outcome.state = ActorOutcome::State::blocked;
  if (actor.operation == nullptr) return outcome;
  if (awaits_birth(*actor.operation)) return {};
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

std::vector<PendingRequest> pending_requests(const EngineOptions& options, Pool<Message>& messages,
                                             Requests& requests) {
  std::vector<PendingRequest> pending;
  messages.for_each_live([&](const Message& message) {
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
  requests.for_each_live([&](const Request& request) {
    const bool is_receive = request.kind == Request::Kind::receive && !request.message;
    const bool is_collective = request.kind == Request::Kind::collective && !request.is_done;
    const bool is_access = request.kind == Request::Kind::access && !request.is_done;
    if ((!is_receive && !is_collective && !is_access) || request.pattern.context == birth_context) return;
    PendingRequest& open = pending.emplace_back();
    open.kind = is_receive  ? PendingRequest::Kind::receive
                : is_access ? PendingRequest::Kind::access
                            : PendingRequest::Kind::collective;
    open.actor = request.actor;
    open.request = request.id;
    open.context = request.pattern.context;
    open.pattern = request.pattern;
    open.released = request.is_released;
    if (is_receive) return;
    if (is_access) {
      open.destination = request.access->target;
      open.context = request.access->context;
      open.name = request.access->missing;
      open.missing = request.access->waits_for;
      return;
    }
    const Instance& instance = *request.instance;
    const Member& member = instance.members[request.member];
    open.context = instance.context;
    const bool differs = !member.name.empty();
    open.name = differs ? member.name : instance.name;
    open.number = instance.number;
    open.mismatch = member.mismatch;
    // Compared with the first member, unless its call does not show the difference.
    const bool is_same_call = !differs || (member.name == instance.name && member.root == instance.root);
    const bool is_signature_known = instance.members[instance.signature_member].name.empty();
    const bool is_in_one_group = !instance.sides.are_there();
    const std::uint32_t with = is_in_one_group && is_same_call && is_signature_known ? instance.signature_member
                                                                                     : instance.first_member;
    open.mismatch_with = (*instance.actors)[with];
    open.mismatch_name = instance.name;
    open.own = {
        member.origin, {}, differs ? member.root : instance.root, differs ? member.signature : instance.signature, {}};
    open.other = {instance.members[with].origin, {}, instance.root, instance.signature, {}};
    // Between two groups, a member does not wait for its own group, unless every member waits for every other.
    const std::uint32_t first = options.synchronising_collectives ? 0 : instance.sides.first();
    for (std::uint32_t i = 0; i < instance.members.size(); ++i)
      if (!instance.members[i].request && (first == 0 || are_apart(first, request.member, i)))
        open.missing.push_back((*instance.actors)[i]);
  });
  std::sort(pending.begin(), pending.end(), [](const PendingRequest& a, const PendingRequest& b) {
    return std::pair(a.actor, a.request) < std::pair(b.actor, b.request);
  });
  return pending;
}

}  // namespace

RunResult make_result(RunState& run, ActorTable& actors, Messages& messages, Pool<Message>& pool, Requests& requests) {
  RunResult result;
  result.was_interrupted = run.interrupted.has_value();
  result.was_cut = run.is_cut;
  result.outcome.reports = std::move(run.reports);
  result.outcome.actors.reserve(actors.size());
  for (std::uint32_t i = 0; i < actors.size(); ++i) {
    const ActorId id{i};
    ActorState& actor = actors[id];
    ActorResult& its = actors.result(id);
    result.outcome.actors.push_back(outcome_of(actor));
    result.was_interrupted |= run.options.stop.stop_requested() &&
                              result.outcome.actors.back().failure == FailureKind::given_up &&
                              result.outcome.actors.back().state == ActorOutcome::State::failed;
    if (actor.wait != Wait::never) its.stopped = actor.began;
    if (result.outcome.actors.back().state != ActorOutcome::State::ended && actor.operation != nullptr)
      its.where = std::make_shared<const CallDescription>(run.program.describe(id));
    result.end = std::max(result.end, its.stopped);
  }
  // The last actors, if they were never born, are no part of the result.
  std::uint32_t born = actors.size();
  for (; born > 0; --born)
    if (const Operation* last = actors[ActorId{born - 1}].operation; last == nullptr || !awaits_birth(*last)) break;
  result.outcome.actors.resize(born);
  result.outcome.pending = pending_requests(run.options, pool, requests);
  result.outcome.early = std::move(messages.early());
  add_places(result.outcome, run.program);
  result.actors = std::move(actors.results());
  result.actors.resize(born);
  const Schedule& forced = run.options.forced;
  result.unused_decisions = forced.matches.size() + forced.answers.size() + forced.waits.size() - run.used_decisions;
  return result;
}

}  // namespace rehearse::engine
