// SPDX-License-Identifier: MIT
//
// From Operations to questions, and from options to answers.
#include "mc/reduction/questions.hpp"

#include <algorithm>

#include "mc/graph/collective_instance.hpp"
#include "mc/history/answer.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::mc::reduction {

using graph::Event;
using graph::EventKind;
using graph::EventRef;
using graph::Graph;
using history::Node;

namespace {

Question::Target target_of(const Graph& graph, const View& view, RequestId request) {
  const Graph::Actor& a = graph.actor(view.actor);
  REHEARSE_ASSERT(request.value < a.requests.size(), "an observed request was started");
  const graph::EventIndex index = a.requests[request.value];
  const Event& started = a.events[index];
  Question::Target target;
  switch (started.kind) {
    case EventKind::post:
      if (started.decided_by != graph::no_event && started.decided_by < view.limit) target.complete = true;
      else target.post = index;
      break;
    case EventKind::arrive:
      target.complete = graph::collective_complete(graph, {view.actor, index}, view.visible, false);
      target.impossible = !target.complete;
      break;
    default: target.complete = true;
  }
  return target;
}

const Collective& collective_of(const Graph& graph, EventRef arrival) {
  return std::get<Collective>(graph.event(arrival).node->operation);
}

// Calls visit(node, part) for each member: the node where it arrived and its part for this member; null and an empty
// part if this member does not need it.
template <class Visit>
void for_each_part(const Graph& graph, EventRef arrival, Visit&& visit) {
  const Collective& op = collective_of(graph, arrival);
  const std::size_t self = graph::position_in(op, arrival.actor);
  for (std::size_t i = 0; i < op.members.size(); ++i) {
    if (!needs(op, self, i)) {
      visit(nullptr, std::span<const std::byte>());
      continue;
    }
    const EventRef other{op.members[i].value, graph.event(arrival).instance->arrivals[op.members[i].value]};
    visit(graph.event(other).node, history::part_for(collective_of(graph, other), self));
  }
}

// Tells the pieces of an answer, to make its hash or the answer itself.
template <class Pieces>
class Teller {
 public:
  Teller(const Graph& graph, std::uint32_t actor, Pieces& pieces) : graph_(graph), actor_(actor), pieces_(pieces) {}

  // The answer of this option to the actor's observation at `node`.
  void tell(const Node& node, const graph::Option& option) {
    if (!option.flag) return;
    if (const auto* post = std::get_if<Post>(&node.operation)) {
      request(0, post->request);
    } else if (std::holds_alternative<Choose>(node.operation)) {
      pieces_.index(option.completed.front());
    } else if (std::holds_alternative<Probe>(node.operation)) {
      message(0, option.probed);
    } else if (const auto* op = std::get_if<Collective>(&node.operation)) {
      collective(op->request);
    } else {
      const Observe& observe = std::get<Observe>(node.operation);
      if (observe.quantifier == Quantifier::all)
        for (std::uint32_t i = 0; i < observe.requests.size(); ++i) request(i, observe.requests[i]);
      else
        for (const std::uint32_t i : option.completed) request(i, observe.requests[i]);
    }
  }

 private:
  void message(std::uint32_t index, EventRef send) { pieces_.message(index, send.actor, *graph_.event(send).node); }
  void request(std::uint32_t index, RequestId request) {
    const Event& started = graph_.actor(actor_).events[graph_.actor(actor_).requests[request.value]];
    if (started.kind == EventKind::post) return message(index, started.partner);
    pieces_.index(index);
    if (started.kind == EventKind::arrive) collective(request);
  }
  void collective(RequestId request) {
    pieces_.begin_parts();
    for_each_part(graph_, {actor_, graph_.actor(actor_).requests[request.value]},
                  [this](const Node* node, std::span<const std::byte> part) { pieces_.part(node, part); });
    pieces_.end_parts();
  }

  const Graph& graph_;
  std::uint32_t actor_;
  Pieces& pieces_;
};

}  // namespace

bool Questions::is_refused_enough(const Graph& graph, const View& view, const Node& node, std::uint32_t polls) {
  const std::vector<Event>& events = graph.actor(view.actor).events;
  std::uint32_t count = 0;
  for (graph::EventIndex i = view.limit; i > 0 && count < polls; --i) {
    const Event& e = events[i - 1];
    if (e.kind != EventKind::observe || e.option.flag) break;
    if (e.node->site == node.site) ++count;
  }
  return count >= polls;
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
  if (observe && observe->withdraws) {  // the receive is withdrawn unless it has a message
    question.no_is_possible = !question.targets.front().complete;
    return question;
  }
  question.no_is_possible = again || node.site == 0 || !is_refused_enough(graph, view, node, polls_);
  if (question.probe && question.no_is_possible && !again)
    question.no_is_possible = !Options().sees_known(graph, view, question.pattern);
  return question;
}

Question Questions::decision(graph::EventIndex post) {
  Question question;
  question.targets.push_back({false, false, post});
  return question;
}

Question Questions::of_event(const Graph& graph, const View& view, const Event& event) const {
  if (event.kind == EventKind::decide) return decision(graph.actor(view.actor).requests[event.request.value]);
  return observation(graph, view, *event.node, event.forced);
}

history::Hash128 reply_key(const Graph& graph, std::uint32_t actor, const Node& node, const graph::Option& option) {
  history::AnswerKey key(option.flag);
  Teller(graph, actor, key).tell(node, option);
  return key.key();
}

void make_reply(const Graph& graph, std::uint32_t actor, const Node& node, const graph::Option& option,
                history::Reply& reply) {
  reply.flag = option.flag;
  history::AnswerWriter writer(reply);
  Teller(graph, actor, writer).tell(node, option);
}

}  // namespace rehearse::mc::reduction
