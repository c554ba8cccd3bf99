// SPDX-License-Identifier: MIT
//
// One operation after the other.
#include "mc/flow/local_runner.hpp"

#include <algorithm>
#include <functional>

#include "mc/graph/collective_instance.hpp"
#include "mc/history/answer.hpp"
#include "mc/history/unmergeable.hpp"
#include "simcore/birth.hpp"

namespace rehearse::mc::flow {

namespace {

constexpr std::size_t most_ready_requests = 8;  // of a call that completes some of them

bool is_some(const Node& node) {
  const auto* observe = std::get_if<Observe>(&node.operation);
  return observe != nullptr && observe->quantifier == Quantifier::some;
}

std::string words_of(const Fail& fail) {
  switch (fail.kind) {
    case FailureKind::unsupported: return std::string(fail.what) + ", which is not supported";
    case FailureKind::not_meant: return "an assumption of the program that does not hold";
    default: return std::string(fail.id) + (fail.what.empty() ? "" : ": ") + std::string(fail.what);
  }
}

}  // namespace

Arrival LocalRunner::start(std::uint32_t actor) {
  Arrival arrival;
  arrival.state.actor = actor;
  arrival.state.node = history_.start({actor});
  go_on(arrival);
  return arrival;
}

Arrival LocalRunner::take(const LocalState& from, std::uint32_t request, MessageId message) {
  Arrival arrival;
  arrival.state = from;
  arrival.state.requests[request].got.push_back(message);
  if (!may_continue(arrival.state)) return arrival;
  answer(arrival, {});
  go_on(arrival);
  return arrival;
}

// Whether the actor has its answer, and nothing else can happen to it before.
bool LocalRunner::may_continue(const LocalState& state) const {
  const LocalState::Wait wait = state.wait();
  return wait.for_all && std::ranges::all_of(wait.requests, [&](std::uint32_t i) {
           return state.requests[i].is_complete() && !state.requests[i].may_wait;
         });
}

std::vector<Arrival> LocalRunner::continuations(const LocalState& from) {
  if (from.is_over()) return {};
  const LocalState::Wait wait = from.wait();
  std::vector<std::uint32_t> ready;  // positions in the list of the operation
  for (std::uint32_t i = 0; i < wait.requests.size(); ++i)
    if (from.requests[wait.requests[i]].is_complete()) ready.push_back(i);
  std::vector<std::vector<std::uint32_t>> answers;
  if (wait.for_all) {
    if (ready.size() == wait.requests.size()) answers.push_back({});
  } else if (!is_some(*from.node)) {
    for (const std::uint32_t i : ready) answers.push_back({i});
  } else {
    if (ready.size() > most_ready_requests) throw NoProof{"a wait for some of more than 8 complete requests"};
    for (std::uint32_t bits = 1; bits < 1u << ready.size(); ++bits) {
      std::vector<std::uint32_t>& some = answers.emplace_back();
      for (std::uint32_t i = 0; i < ready.size(); ++i)
        if ((bits >> i & 1) != 0) some.push_back(ready[i]);
    }
  }
  std::vector<Arrival> arrivals;
  for (const std::vector<std::uint32_t>& positions : answers) {
    Arrival& arrival = arrivals.emplace_back();
    arrival.state = from;
    answer(arrival, positions);
    go_on(arrival);
  }
  return arrivals;
}

void LocalRunner::go_on(Arrival& arrival) {
  while (step(arrival)) {
  }
}

// Notes what the Node says about the way to it.
void LocalRunner::inspect(Arrival& arrival) {
  const Node& node = *arrival.state.node;
  if (std::string feature = history::unmergeable_in(node); !feature.empty()) throw NoProof{std::move(feature)};
  for (const Finding& report : node.reports)
    if (arrival.objection.empty()) arrival.objection = "a report of " + report.id.text();
  for (const RequestId released : node.released) {
    const auto found = std::ranges::find(arrival.state.requests, released, &StartedRequest::id);
    if (found == arrival.state.requests.end()) continue;
    if (found->is_receive() || found->is_collective()) throw NoProof{"receives or collectives that are never observed"};
    arrival.state.requests.erase(found);
  }
  if (!arrival.state.is_over()) return;
  if (const auto* fail = std::get_if<Fail>(&node.operation)) {
    arrival.objection = words_of(*fail);
    return;
  }
  if (const int status = std::get<End>(node.operation).status; status != 0 && arrival.objection.empty())
    arrival.objection = "the exit status " + std::to_string(status);
  for (const StartedRequest& request : arrival.state.requests)
    if (request.is_receive() || request.is_collective())
      throw NoProof{"receives or collectives that are never observed"};
  arrival.state.requests.clear();
}

// Carries out one operation. False: the actor waits for others, or is over.
bool LocalRunner::step(Arrival& arrival) {
  inspect(arrival);
  const Operation& operation = arrival.state.node->operation;
  if (const auto* op = std::get_if<Send>(&operation)) return send(arrival, *op);
  if (awaits_birth(operation)) throw NoProof{started_actors};
  if (const auto* op = std::get_if<Post>(&operation)) return post(arrival, *op);
  if (const auto* op = std::get_if<Collective>(&operation)) return collective(arrival, *op);
  if (std::holds_alternative<Observe>(operation)) return observe(arrival);
  return false;
}

bool LocalRunner::send(Arrival& arrival, const Send& send) {
  LocalState& state = arrival.state;
  const bool may_wait = send.mode == SendMode::synchronous || (send.mode == SendMode::standard && waiting_.sends);
  const ChannelId channel = messages_.channel({state.actor, send.destination.value, send.context, false});
  arrival.sends.push_back({channel, content_of_send(*state.node), {}});
  if (may_wait) arrival.sends.back().request = send.request;
  if (may_wait || !send.blocking) {
    StartedRequest& started = state.requests.emplace_back();
    started.id = send.request;
    started.started = state.node;
    started.may_wait = may_wait;
  }
  if (send.blocking && may_wait) return false;
  state.node = history_.advance(state.node);
  return true;
}

bool LocalRunner::post(Arrival& arrival, const Post& post) {
  LocalState& state = arrival.state;
  StartedRequest& started = state.requests.emplace_back();
  started.id = post.request;
  started.started = state.node;
  if (post.blocking) return false;
  state.node = history_.advance(state.node);
  return true;
}

// Members that disagree never complete, or continue in spite of it: not supported.
void LocalRunner::require_agreement(const Node& node, std::uint32_t number) {
  const Collective& op = std::get<Collective>(node.operation);
  auto& calls = calls_[{op.context, number}];
  calls.emplace(node.collective_hash, op.signature);
  for (const auto& [hash, signature] : calls)
    if (hash != node.collective_hash || clash_of(signature, op.signature))
      throw NoProof{"members that may disagree about a collective"};
}

bool LocalRunner::collective(Arrival& arrival, const Collective& op) {
  LocalState& state = arrival.state;
  if (op.groups.first != 0) throw NoProof{"collectives between two groups"};
  if (op.flow == Flow::optional) throw NoProof{"collectives that may synchronise without need"};
  const auto counted = std::ranges::find(state.collectives, op.context, &std::pair<ContextId, std::uint32_t>::first);
  auto& count = counted != state.collectives.end() ? *counted : state.collectives.emplace_back(op.context, 0);
  const std::uint32_t number = count.second++;
  require_agreement(*state.node, number);
  has_partial_collectives_ = has_partial_collectives_ || !needs_everybody(op);
  const std::size_t self = graph::position_in(op, state.actor);
  StartedRequest started;
  started.id = op.request;
  started.started = state.node;
  started.number = number;
  const Content content = content_of_arrival(*state.node, number);
  for (std::size_t i = 0; i < op.members.size(); ++i) {
    const std::uint32_t member = op.members[i].value;
    if (i == self) continue;
    if (waiting_.synchronising || needs(op, self, i)) started.awaited.push_back(member);
    if (waiting_.synchronising || needs(op, i, self))
      arrival.sends.push_back({messages_.channel({state.actor, member, op.context, true}), content, {}});
  }
  const bool is_complete = started.is_complete();
  state.requests.push_back(std::move(started));
  if (!op.blocking) {
    state.node = history_.advance(state.node);
    return true;
  }
  if (!is_complete) return false;
  answer(arrival, {});
  return true;
}

bool LocalRunner::observe(Arrival& arrival) {
  const LocalState::Wait wait = arrival.state.wait();
  if (!wait.for_all)
    for (const std::uint32_t i : wait.requests)
      if (arrival.state.requests[i].is_collective()) throw NoProof{"a wait for one of several collectives"};
  if (!may_continue(arrival.state)) return false;
  answer(arrival, {});
  return true;
}

void LocalRunner::check_length(const StartedRequest& request) const {
  const Node& sent = *messages_.message(request.got.front()).content.sent;
  const std::uint64_t bytes = std::get<Send>(sent.operation).data.size();
  const std::uint64_t room = std::get<Post>(request.started->operation).capacity_bytes;
  if (StateImages::is_too_short(bytes, room, awaited_)) throw ShortMessage{bytes};
}

template <class Pieces>
void LocalRunner::tell_parts(const LocalState& state, const StartedRequest& request, Pieces& pieces) const {
  const Collective& op = std::get<Collective>(request.started->operation);
  const std::size_t self = graph::position_in(op, state.actor);
  pieces.begin_parts();
  for (std::size_t i = 0; i < op.members.size(); ++i) {
    const Node* from = nullptr;
    if (needs(op, self, i)) {
      const auto awaited = std::ranges::find(request.awaited, op.members[i].value);
      from = i == self ? request.started
                       : messages_.message(request.got[static_cast<std::size_t>(awaited - request.awaited.begin())])
                             .content.sent;
    }
    pieces.part(from, from == nullptr ? std::span<const std::byte>()
                                      : history::part_for(std::get<Collective>(from->operation), self));
  }
  pieces.end_parts();
}

// The answer to the actor's operation. `positions`: in the list of requests that the operation waits for; empty: all.
template <class Pieces>
void LocalRunner::tell(const LocalState& state, const std::vector<std::uint32_t>& positions, Pieces& pieces) const {
  const LocalState::Wait wait = state.wait();
  const auto tell_one = [&](std::uint32_t position) {
    const StartedRequest& request = state.requests[wait.requests[position]];
    if (request.is_receive()) {
      const Messages::Message& message = messages_.message(request.got.front());
      pieces.message(position, messages_.channel(message.channel).source, *message.content.sent);
      return;
    }
    if (std::holds_alternative<Observe>(state.node->operation)) pieces.index(position);
    if (request.is_collective()) tell_parts(state, request, pieces);
  };
  if (positions.empty())
    for (std::uint32_t i = 0; i < wait.requests.size(); ++i) tell_one(i);
  else
    for (const std::uint32_t position : positions) tell_one(position);
}

// Answers the actor's operation: the requests are then observed.
void LocalRunner::answer(Arrival& arrival, const std::vector<std::uint32_t>& positions) {
  LocalState& state = arrival.state;
  const LocalState::Wait wait = state.wait();
  std::vector<std::uint32_t> observed;
  for (const std::uint32_t position : positions) observed.push_back(wait.requests[position]);
  if (positions.empty()) observed = wait.requests;
  for (const std::uint32_t i : observed)
    if (state.requests[i].is_receive()) check_length(state.requests[i]);
  if (std::holds_alternative<Send>(state.node->operation)) {
    state.node = history_.advance(state.node);
  } else {
    history::AnswerKey key(true);
    tell(state, positions, key);
    const LocalState before = state;
    state.node = history_.advance(before.node, key.key(), [&](history::Reply& reply) {
      history::AnswerWriter writer(reply);
      tell(before, positions, writer);
    });
  }
  std::ranges::sort(observed, std::greater<>());
  for (const std::uint32_t i : observed) state.requests.erase(state.requests.begin() + i);
}

}  // namespace rehearse::mc::flow
