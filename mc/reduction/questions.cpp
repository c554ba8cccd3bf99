// SPDX-License-Identifier: MIT
//
// From Operations to questions about the graph, and from options back to answers.
#include "mc/reduction/questions.hpp"

#include <algorithm>

#include "simcore/support/assert.hpp"

namespace rehearse::mc {

namespace {

Question::Target target_of(const Graph& graph, const View& view, RequestId request) {
  const Graph::Actor& a = graph.actor(view.actor);
  REHEARSE_ASSERT(request.value < a.requests.size(), "an observed request was started");
  const EventIndex index = a.requests[request.value];
  const Event& started = a.events[index];
  Question::Target target;
  switch (started.kind) {
    case EventKind::post:
      if (started.decided_by != no_event && started.decided_by < view.limit)
        target.complete = true;
      else
        target.post = index;
      break;
    case EventKind::arrive:
      target.complete = collective_complete(graph, {view.actor, index}, view.visible, false, nullptr);
      target.impossible = !target.complete;
      break;
    default: target.complete = true;
  }
  return target;
}

// The position of an arrival among its actor's arrivals at the same context.
std::size_t instance_of(const Graph& graph, EventRef arrival, ContextId context) {
  const auto& list = graph.actor(arrival.actor).arrivals.at(context);
  return static_cast<std::size_t>(std::find(list.begin(), list.end(), arrival.event) - list.begin());
}

std::optional<EventRef> arrival_of(const Graph& graph, ActorId member, ContextId context, std::size_t instance) {
  const auto& arrivals = graph.actor(member.value).arrivals;
  const auto at = arrivals.find(context);
  if (at == arrivals.end() || at->second.size() <= instance) return std::nullopt;
  return EventRef{member.value, at->second[instance]};
}

const Collective& collective_of(const Graph& graph, EventRef arrival) {
  return std::get<Collective>(graph.event(arrival).node->operation);
}

bool agree(const Collective& a, const Collective& b) {
  return a.name == b.name && a.root == b.root && a.flow == b.flow && a.blocking == b.blocking &&
         (a.signature == b.signature || a.signature == 0 || b.signature == 0);
}

// Does `self` (an index into the members) need what member `other` gives?
bool needs(const Collective& op, std::size_t self, std::size_t other) {
  switch (op.flow) {
    case Flow::all_to_all: return true;
    case Flow::root_to_all: return other == op.root;
    case Flow::all_to_root: return self == op.root;
    case Flow::prefix: return other <= self;
  }
  return true;
}

// What a member's contribution holds for member `self`.
std::span<const std::byte> part_for(const Collective& given, std::size_t self) {
  if (given.segment_bytes.empty()) return given.contribution;
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < self; ++i) offset += given.segment_bytes[i];
  return given.contribution.subspan(offset, given.segment_bytes[self]);
}

void add_contributions(const Graph& graph, EventRef arrival, Reply& reply) {
  const Collective& op = collective_of(graph, arrival);
  const std::size_t instance = instance_of(graph, arrival, op.context);
  const auto self = static_cast<std::size_t>(
      std::find(op.members.begin(), op.members.end(), ActorId{arrival.actor}) - op.members.begin());
  Reply::List& list = reply.lists.emplace_back(op.members.size());
  for (std::size_t i = 0; i < op.members.size(); ++i) {
    if (!needs(op, self, i)) continue;
    const EventRef other = arrival_of(graph, op.members[i], op.context, instance).value();
    list[i] = part_for(collective_of(graph, other), self);
    reply.data_hashes.push_back(hash_bytes(list[i].data(), list[i].size()));
  }
}

void add_message(const Graph& graph, EventRef send, Completion& completion, Reply& reply) {
  const Send& message = graph.send_of(send);
  completion.source = {send.actor};
  completion.tag = message.tag;
  completion.data = message.data;
  completion.signature = message.signature;
  reply.data_hashes.push_back(graph.event(send).node->data_hash);
}

void add_completion(const Graph& graph, std::uint32_t actor, std::uint32_t index, RequestId request, Reply& reply) {
  const Graph::Actor& a = graph.actor(actor);
  const EventIndex started = a.requests[request.value];
  Completion completion;
  completion.index = index;
  const std::size_t lists = reply.lists.size();
  if (a.events[started].kind == EventKind::post) add_message(graph, a.events[started].partner, completion, reply);
  if (a.events[started].kind == EventKind::arrive) add_contributions(graph, {actor, started}, reply);
  if (reply.lists.size() == lists) reply.lists.emplace_back();  // one list per completion
  reply.completions.push_back(completion);
}

}  // namespace

std::uint32_t Questions::refusals(const Graph& graph, const View& view, const Node& node) {
  const std::vector<Event>& events = graph.actor(view.actor).events;
  std::uint32_t count = 0;
  for (EventIndex i = view.limit; i > 0; --i) {
    const Event& e = events[i - 1];
    if (e.kind != EventKind::observe || e.option.flag || e.node->site != node.site) break;
    ++count;
  }
  return count;
}

Question Questions::observation(const Graph& graph, const View& view, const Node& node, bool again) const {
  Question question;
  if (const auto* post = std::get_if<Post>(&node.operation)) {
    question.targets.push_back(target_of(graph, view, post->request));
    return question;
  }
  if (const auto* choose = std::get_if<Choose>(&node.operation)) {
    question.choices = choose->count;
    return question;
  }
  if (const auto* probe = std::get_if<Probe>(&node.operation)) {
    question.probe = true;
    question.blocking = probe->blocking;
    question.pattern = probe->pattern;
  } else {
    const Observe& observe = std::get<Observe>(node.operation);
    question.blocking = observe.blocking;
    question.quantifier = observe.quantifier;
    for (const RequestId r : observe.requests) question.targets.push_back(target_of(graph, view, r));
  }
  if (question.blocking) return question;
  const auto* observe = std::get_if<Observe>(&node.operation);
  if (observe && observe->withdraws) {  // it is withdrawn unless it has its message
    question.no_is_possible = !question.targets.front().complete;
    return question;
  }
  question.no_is_possible = again || node.site == 0 || refusals(graph, view, node) < polls_;
  if (question.probe && question.no_is_possible && !again) {
    std::vector<EventRef> known;
    for (EventIndex i = 0; i < view.limit; ++i) {
      const Event& e = graph.actor(view.actor).events[i];
      if (e.option.seen.event != no_event) known.push_back(e.option.seen);
    }
    Options options;
    question.no_is_possible = !options.sees_known(graph, view, question.pattern, known);
  }
  return question;
}

Question Questions::decision(EventIndex post) {
  Question question;
  question.targets.push_back({false, false, post});
  return question;
}

Question Questions::of_event(const Graph& graph, const View& view, const Event& event) const {
  if (event.kind == EventKind::decide)
    return decision(graph.actor(view.actor).requests[event.request.value]);
  return observation(graph, view, *event.node, event.forced);
}

bool collective_complete(const Graph& graph, EventRef arrival, std::span<const std::uint32_t> visible, bool everybody,
                         std::vector<EventRef>* needed) {
  const Collective& op = collective_of(graph, arrival);
  const std::size_t instance = instance_of(graph, arrival, op.context);
  const auto self = static_cast<std::size_t>(
      std::find(op.members.begin(), op.members.end(), ActorId{arrival.actor}) - op.members.begin());
  for (std::size_t i = 0; i < op.members.size(); ++i) {
    if (i == self || (!everybody && !needs(op, self, i))) continue;
    const std::optional<EventRef> other = arrival_of(graph, op.members[i], op.context, instance);
    if (!other || other->event >= visible[other->actor] || !agree(op, collective_of(graph, *other))) return false;
    if (needed) needed->push_back(*other);
  }
  return true;
}

std::optional<EventRef> disagreeing(const Graph& graph, EventRef arrival) {
  const Collective& op = collective_of(graph, arrival);
  const std::size_t instance = instance_of(graph, arrival, op.context);
  for (const ActorId member : op.members) {
    const std::optional<EventRef> other = arrival_of(graph, member, op.context, instance);
    if (other && !agree(op, collective_of(graph, *other))) return other;
  }
  return std::nullopt;
}

Reply make_reply(const Graph& graph, std::uint32_t actor, const Node& node, const Option& option) {
  Reply reply;
  reply.flag = option.flag;
  if (!option.flag) return reply;
  if (const auto* post = std::get_if<Post>(&node.operation)) {
    add_completion(graph, actor, 0, post->request, reply);
  } else if (std::holds_alternative<Choose>(node.operation)) {
    reply.completions.emplace_back().index = option.completed.front();
  } else if (std::holds_alternative<Probe>(node.operation)) {
    add_message(graph, option.seen, reply.completions.emplace_back(), reply);
  } else if (const auto* collective = std::get_if<Collective>(&node.operation)) {
    add_contributions(graph, {actor, graph.actor(actor).requests[collective->request.value]}, reply);
  } else {
    const Observe& observe = std::get<Observe>(node.operation);
    if (observe.quantifier == Quantifier::all) {
      for (std::uint32_t i = 0; i < observe.requests.size(); ++i)
        add_completion(graph, actor, i, observe.requests[i], reply);
    } else {
      for (const std::uint32_t i : option.completed) add_completion(graph, actor, i, observe.requests[i], reply);
    }
  }
  return reply;
}

}  // namespace rehearse::mc
