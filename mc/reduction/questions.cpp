// SPDX-License-Identifier: MIT
//
// From Operations to questions, and from options to answers.
#include "mc/reduction/questions.hpp"

#include <algorithm>

#include "mc/graph/collective_instance.hpp"
#include "mc/history/words.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::mc::reduction {

using graph::Event;
using graph::EventKind;
using graph::EventRef;
using graph::Graph;
using history::Hash128;
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

// The part of a member's contribution for member `self`. It has no address if the contribution has none.
std::span<const std::byte> part_for(const Collective& given, std::size_t self) {
  if (given.segment_bytes.empty()) return given.contribution;
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < self; ++i) offset += given.segment_bytes[i];
  if (given.contribution.data() == nullptr) return {given.contribution.data(), given.segment_bytes[self]};
  return given.contribution.subspan(offset, given.segment_bytes[self]);
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
    visit(graph.event(other).node, part_for(collective_of(graph, other), self));
  }
}

// The remark on a part that for_each_part passes.
std::span<const std::byte> remark_of(const Node* node) {
  return node == nullptr ? std::span<const std::byte>() : std::get<Collective>(node->operation).remark;
}

// Hashes an answer: the same words for the same answer.
class KeyMaker {
 public:
  KeyMaker(const Graph& graph, std::uint32_t actor, bool flag) : graph_(graph), actor_(actor) { words_.add(flag); }

  void index(std::uint32_t index) { words_.add(index); }
  void message(std::uint32_t index, EventRef send) {
    const Node& node = *graph_.event(send).node;
    const Send& message = std::get<Send>(node.operation);
    words_.add(index, std::uint64_t{send.actor} << 32 | static_cast<std::uint32_t>(message.tag), message.data.size(),
               node.data_hash.low, node.data_hash.high, message.signature);
  }
  void request(std::uint32_t index, RequestId request) {
    const Event& started = graph_.actor(actor_).events[graph_.actor(actor_).requests[request.value]];
    if (started.kind == EventKind::post) return message(index, started.partner);
    words_.add(index);
    if (started.kind == EventKind::arrive) collective(request);
  }
  void collective(RequestId request) {
    for_each_part(graph_, {actor_, graph_.actor(actor_).requests[request.value]},
                  [&](const Node* node, std::span<const std::byte> part) {
                    const bool is_whole = node &&
                                          part.size() == std::get<Collective>(node->operation).contribution.size();
                    const Hash128 h = part.empty() ? Hash128{}
                                      : is_whole   ? node->data_hash
                                                   : history::hash_bytes(part.data(), part.size());
                    words_.add(part.size(), h.low, h.high);
                    if (const auto remark = remark_of(node); !remark.empty())
                      words_.add_hash(history::hash_bytes(remark.data(), remark.size()));
                  });
  }
  Hash128 key() const { return words_.hash(); }

 private:
  const Graph& graph_;
  std::uint32_t actor_;
  history::Words words_;
};

// Makes the answer.
class ReplyMaker {
 public:
  ReplyMaker(const Graph& graph, std::uint32_t actor, history::Reply& reply)
      : graph_(graph), actor_(actor), reply_(reply) {}

  void index(std::uint32_t index) { reply_.completions.emplace_back().index = index; }
  void message(std::uint32_t index, EventRef send) {
    const Send& message = graph_.send_of(send);
    Completion& completion = reply_.completions.emplace_back();
    completion.index = index;
    completion.source = {send.actor};
    completion.tag = message.tag;
    completion.data = message.data;
    completion.signature = message.signature;
    completion.origin = message.origin;
    if (!message.data.empty()) reply_.sources.push_back(graph_.event(send).node);
  }
  void request(std::uint32_t index, RequestId request) {
    const Event& started = graph_.actor(actor_).events[graph_.actor(actor_).requests[request.value]];
    if (started.kind == EventKind::post) return message(index, started.partner);
    reply_.completions.emplace_back().index = index;
    if (started.kind == EventKind::arrive) collective(request);
  }
  void collective(RequestId request) {
    reply_.part_ends.resize(reply_.completions.size(), static_cast<std::uint32_t>(reply_.parts.size()));
    for_each_part(graph_, {actor_, graph_.actor(actor_).requests[request.value]},
                  [&](const Node* node, std::span<const std::byte> part) {
                    reply_.parts.push_back(part);
                    const std::span<const std::byte> remark = remark_of(node);
                    if (!remark.empty()) add_remark(remark, std::get<Collective>(node->operation).origin);
                    if (!part.empty() || !remark.empty()) reply_.sources.push_back(node);
                  });
    if (!reply_.part_ends.empty()) reply_.part_ends.back() = static_cast<std::uint32_t>(reply_.parts.size());
  }

 private:
  // Adds a remark on the last part.
  void add_remark(std::span<const std::byte> text, const Origin& origin) {
    reply_.remarks.resize(reply_.parts.size());
    reply_.remarks.back() = {text, origin};
  }

  const Graph& graph_;
  std::uint32_t actor_;
  history::Reply& reply_;
};

// Passes the answer of this option to the actor's observation at `node` to the maker.
template <class Maker>
void answer(const Node& node, const graph::Option& option, Maker& maker) {
  if (!option.flag) return;
  if (const auto* post = std::get_if<Post>(&node.operation)) {
    maker.request(0, post->request);
  } else if (std::holds_alternative<Choose>(node.operation)) {
    maker.index(option.completed.front());
  } else if (std::holds_alternative<Probe>(node.operation)) {
    maker.message(0, option.probed);
  } else if (const auto* collective = std::get_if<Collective>(&node.operation)) {
    maker.collective(collective->request);
  } else {
    const Observe& observe = std::get<Observe>(node.operation);
    if (observe.quantifier == Quantifier::all)
      for (std::uint32_t i = 0; i < observe.requests.size(); ++i) maker.request(i, observe.requests[i]);
    else
      for (const std::uint32_t i : option.completed) maker.request(i, observe.requests[i]);
  }
}

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

Hash128 reply_key(const Graph& graph, std::uint32_t actor, const Node& node, const graph::Option& option) {
  KeyMaker maker(graph, actor, option.flag);
  answer(node, option, maker);
  return maker.key();
}

void make_reply(const Graph& graph, std::uint32_t actor, const Node& node, const graph::Option& option,
                history::Reply& reply) {
  reply.flag = option.flag;
  ReplyMaker maker(graph, actor, reply);
  answer(node, option, maker);
}

}  // namespace rehearse::mc::reduction
