// SPDX-License-Identifier: MIT
//
// The conditions of each kind of step.
#include <algorithm>

#include "mc/cycle/rules.hpp"
#include "mc/graph/collective_instance.hpp"
#include "mc/graph/graph.hpp"
#include "simcore/birth.hpp"

namespace rehearse::mc::cycle {
namespace {

constexpr std::size_t most_ready_requests = 8;  // of a call that completes some of them

bool is_over(const Operation& operation) {
  return std::holds_alternative<End>(operation) || std::holds_alternative<Fail>(operation);
}

std::string unsupported_in(const Node& node) {
  if (const auto* fail = std::get_if<Fail>(&node.operation)) {
    if (fail->kind == FailureKind::not_meant) return "assumptions of the program";
    return fail->kind == FailureKind::unsupported ? std::string(fail->what) : "";
  }
  if (const auto* send = std::get_if<Send>(&node.operation))
    return send->mode == SendMode::ready ? "sends in ready mode" : "";
  if (awaits_birth(node.operation)) return started_actors;
  if (const auto* post = std::get_if<Post>(&node.operation)) return post->taken ? "matched probes" : "";
  if (const auto* probe = std::get_if<Probe>(&node.operation)) return probe->takes ? "matched probes" : "";
  if (const auto* observe = std::get_if<Observe>(&node.operation))
    return observe->withdraws ? "cancelled receives" : "";
  if (std::holds_alternative<Choose>(node.operation)) return "choices of the program";
  if (const auto* collective = std::get_if<Collective>(&node.operation))
    return collective->groups.first != 0 ? "collectives between two groups" : "";
  if (is_over(node.operation)) return "";
  return "accesses to windows or files";
}

const Pattern& pattern_of(const Started& receive) { return std::get<Post>(receive.node->operation).pattern; }

bool accepts(const Pattern& pattern, const Message& message) {
  return graph::accepts(pattern, message.source, std::get<Send>(message.sent->operation));
}

// Whether no earlier message of its channel comes first, and no receive takes it.
bool is_first(const Actor& actor, const Pattern& pattern, std::size_t index) {
  for (std::size_t i = 0; i < index; ++i)
    if (actor.inbox[i].source == actor.inbox[index].source && accepts(pattern, actor.inbox[i])) return false;
  return true;
}

}  // namespace

std::vector<Step> Rules::steps(const World& world) const {
  Steps steps;
  for (std::uint32_t a = 0; a < world.actors.size(); ++a) {
    require_support(world, a);
    list_actor(world, a, steps);
    list_matches(world, a, steps);
    list_notices(world, a, steps);
  }
  return steps;
}

void Rules::require_support(const World& world, std::uint32_t actor) const {
  const Node& node = *world.actors[actor].node;
  if (std::string feature = unsupported_in(node); !feature.empty()) throw NotComparable{std::move(feature)};
  const auto* observe = std::get_if<Observe>(&node.operation);
  if (observe != nullptr && !observe->blocking && !polls_.tests) throw NewPolls{};
  const auto* probe = std::get_if<Probe>(&node.operation);
  if (probe != nullptr && !probe->blocking && !polls_.probes) throw NewPolls{};
}

void Rules::list_actor(const World& world, std::uint32_t actor, Steps& steps) const {
  const Actor& at = world.actors[actor];
  const Operation& operation = at.node->operation;
  if (at.published < published_before(*at.node).size()) {
    steps.push_back({Step::Kind::publish, actor, {}, nobody, true, {}});
    return;
  }
  if (is_over(operation)) return;
  if (const auto* observe = std::get_if<Observe>(&operation)) return list_observe(world, actor, *observe, steps);
  if (const auto* probe = std::get_if<Probe>(&operation)) return list_probe(world, actor, *probe, steps);
  if (!at.is_issued) steps.push_back({Step::Kind::start, actor, {}, nobody, true, {}});
  else if (is_complete(world, actor, at.started.back()))
    steps.push_back({Step::Kind::answer, actor, {}, nobody, true, {}});
}

void Rules::list_observe(const World& world, std::uint32_t actor, const Observe& observe, Steps& steps) const {
  const auto add = [&](bool flag, std::vector<std::uint32_t> completed) {
    steps.push_back({Step::Kind::answer, actor, {}, nobody, flag, std::move(completed)});
  };
  std::vector<std::uint32_t> ready;
  for (std::uint32_t i = 0; i < observe.requests.size(); ++i) {
    const Started& started = *world.find(actor, observe.requests[i]);
    if (observe.blocking ? is_complete(world, actor, started) : started.is_noticeable) ready.push_back(i);
  }
  const bool needs_all = observe.quantifier == Quantifier::all;
  const bool is_ready = needs_all ? ready.size() == observe.requests.size() : !ready.empty();
  if (!is_ready && !observe.blocking) return add(false, {});
  if (!is_ready) return;
  if (needs_all) return add(true, {});
  if (observe.quantifier == Quantifier::any) {
    for (const std::uint32_t i : ready) add(true, {i});
    return;
  }
  if (ready.size() > most_ready_requests) throw NotComparable{"waits for some of more than 8 complete requests"};
  for (std::uint64_t bits = 1; bits < std::uint64_t{1} << ready.size(); ++bits) {
    std::vector<std::uint32_t> some;
    for (std::size_t i = 0; i < ready.size(); ++i)
      if ((bits >> i & 1) != 0) some.push_back(ready[i]);
    add(true, std::move(some));
  }
}

void Rules::list_probe(const World& world, std::uint32_t actor, const Probe& probe, Steps& steps) const {
  const Actor& at = world.actors[actor];
  bool has_seen = false;
  for (std::uint32_t i = 0; i < at.inbox.size(); ++i) {
    if (!accepts(probe.pattern, at.inbox[i]) || !is_first(at, probe.pattern, i)) continue;
    const auto takes = [&](const Started& started) {
      return started.kind == Started::Kind::receive && !started.is_matched && accepts(pattern_of(started), at.inbox[i]);
    };
    if (std::ranges::any_of(at.started, takes)) continue;
    has_seen = has_seen || at.inbox[i].is_visible;
    if (probe.blocking || at.inbox[i].is_visible) steps.push_back({Step::Kind::answer, actor, {}, i, true, {}});
  }
  if (!probe.blocking && !has_seen) steps.push_back({Step::Kind::answer, actor, {}, nobody, false, {}});
}

// The non-overtaking rule: no earlier message of the channel fits the receive, no earlier receive fits the message.
void Rules::list_matches(const World& world, std::uint32_t actor, Steps& steps) const {
  const Actor& at = world.actors[actor];
  for (std::size_t r = 0; r < at.started.size(); ++r) {
    const Started& receive = at.started[r];
    if (receive.kind != Started::Kind::receive || receive.is_matched) continue;
    const Pattern& pattern = pattern_of(receive);
    for (std::uint32_t i = 0; i < at.inbox.size(); ++i) {
      if (!accepts(pattern, at.inbox[i]) || !is_first(at, pattern, i)) continue;
      const auto takes_before = [&](const Started& other) {
        return other.kind == Started::Kind::receive && !other.is_matched && accepts(pattern_of(other), at.inbox[i]);
      };
      if (std::any_of(at.started.begin(), at.started.begin() + static_cast<std::ptrdiff_t>(r), takes_before)) continue;
      steps.push_back({Step::Kind::match, actor, receive.request, i, true, {}});
    }
  }
}

void Rules::list_notices(const World& world, std::uint32_t actor, Steps& steps) const {
  const Actor& at = world.actors[actor];
  if (polls_.tests)
    for (std::size_t i = 0; i < at.started.size(); ++i) {
      const Started& started = at.started[i];
      const bool is_awaited = at.is_issued && i + 1 == at.started.size();  // by the blocking call itself
      if (!is_awaited && !started.is_noticeable && is_complete(world, actor, started))
        steps.push_back({Step::Kind::notice, actor, started.request, nobody, true, {}});
    }
  if (polls_.probes)
    for (std::uint32_t i = 0; i < at.inbox.size(); ++i)
      if (!at.inbox[i].is_visible) steps.push_back({Step::Kind::see, actor, {}, i, true, {}});
}

// Whether a sender may wait for its message to be taken.
bool Rules::may_wait(const Send& send) const {
  if (send.mode == SendMode::buffered) return false;
  return send.mode == SendMode::synchronous || policy_.eager_bytes != Policy::infinite;
}

bool Rules::is_sent(const World& world, std::uint32_t actor, const Started& started) const {
  const Send& send = std::get<Send>(started.node->operation);
  if (started.is_matched || !may_wait(send)) return true;
  if (send.mode == SendMode::synchronous || policy_.eager_bytes == 0) return false;
  std::uint64_t bytes = 0;  // of the messages that wait in the channel, up to this one
  for (const Message& message : world.actors[send.destination.value].inbox) {
    if (message.source != actor) continue;
    bytes += std::get<Send>(message.sent->operation).data.size();
    if (message.request == started.request.value) break;
  }
  return bytes <= policy_.eager_bytes;
}

bool Rules::is_gathered(const World& world, std::uint32_t actor, const Started& collective) const {
  const Collective& op = std::get<Collective>(collective.node->operation);
  const Instance& instance = world.instances[world.instance_of(actor, collective.request)];
  const std::size_t self = graph::position_in(op, actor);
  for (std::size_t i = 0; i < instance.arrivals.size(); ++i)
    if (instance.arrivals[i] == nullptr && (policy_.synchronising || needs(op, self, i))) return false;
  return true;
}

bool Rules::is_complete(const World& world, std::uint32_t actor, const Started& started) const {
  switch (started.kind) {
    case Started::Kind::send: return is_sent(world, actor, started);
    case Started::Kind::collective: return is_gathered(world, actor, started);
    case Started::Kind::receive: break;
  }
  return started.is_matched;
}

}  // namespace rehearse::mc::cycle
