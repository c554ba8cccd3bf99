// SPDX-License-Identifier: MIT
//
// Makes the Outcome and the Schedule of a replayed graph.
#include "mc/counterexample/ending.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "mc/graph/collective_instance.hpp"
#include "mc/reduction/questions.hpp"
#include "simcore/birth.hpp"

namespace rehearse::mc::counterexample {

using buffering::PolicyOutcome;
using graph::Event;
using graph::EventIndex;
using graph::EventKind;
using graph::EventRef;
using history::Node;

namespace {

using State = ActorOutcome::State;

bool is_issued(const Graph& graph, const PolicyOutcome& outcome, EventRef e) {
  const EventIndex happened = outcome.happened[e.actor];
  return e.event < happened || (e.event == happened && graph.event(e).kind == EventKind::send);
}

// Calls visit(send) for every message in ready mode whose receive is not certain to be posted before it is sent.
template <class Visit>
void for_each_early(const Graph& graph, const PolicyOutcome& outcome, Visit&& visit) {
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
    for (const EventIndex index : graph.actor(a).requests) {
      const EventRef send{a, index};
      const Event& event = graph.event(send);
      if (event.kind != EventKind::send || !is_issued(graph, outcome, send)) continue;
      if (std::get<Send>(event.node->operation).mode != SendMode::ready) continue;
      if (event.partner.event == graph::no_event || !graph.before(event.partner, send)) visit(send);
    }
}

// Whether members disagree in a collective in which not everybody waits for everybody.
bool has_disagreement(const Graph& graph) {
  if (graph.tally().partial_arrivals == 0) return false;
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
    for (const EventIndex index : graph.actor(a).requests) {
      const Event& event = graph.actor(a).events[index];
      if (event.kind != EventKind::arrive) continue;
      if (std::get<Collective>(event.node->operation).flow == Flow::all_to_all) continue;
      if (graph::disagreement_of(graph, {a, index})) return true;
    }
  return false;
}

// Calls visit(node) for each node with reports on the path to `node`, the last one first.
template <class Visit>
void for_each_reporting(const Node& node, Visit&& visit) {
  for (const Node* n = node.last_report; n; n = n->parent ? n->parent->last_report : nullptr) visit(*n);
}

class Ending {
 public:
  Ending(const Graph& graph, const PolicyOutcome& outcome, const Policy& policy)
      : graph_(graph), outcome_(outcome), policy_(policy) {
    for (const auto& [receive, send] : outcome.matches) {
      matched_.insert(receive);
      matched_.insert(send);
    }
  }

  Outcome make() const {
    Outcome result;
    for (std::uint32_t a = 0; a < graph_.actor_count(); ++a) {
      add_pending(a, result.pending);
      add_reports(a, result.reports);
    }
    for (std::uint32_t a = 0; a < graph_.actor_count(); ++a) result.actors.push_back(actor(a, result.pending));
    for_each_early(graph_, outcome_, [&](EventRef sent) {
      const Send& send = graph_.send_of(sent);
      result.early.push_back({ActorId{sent.actor}, send.destination, send.tag, send.origin, {}});
    });
    return result;
  }

 private:
  bool issued(std::uint32_t actor, EventIndex event) const { return is_issued(graph_, outcome_, {actor, event}); }

  void add_reports(std::uint32_t a, std::vector<std::pair<ActorId, Finding>>& reports) const {
    std::vector<const Node*> nodes;
    for_each_reporting(standing(graph_, outcome_, a), [&](const Node& n) { nodes.push_back(&n); });
    std::reverse(nodes.begin(), nodes.end());
    for (const Node* n : nodes)
      for (const Finding& report : n->reports) reports.emplace_back(ActorId{a}, report);
  }

  std::set<RequestId> released_by(std::uint32_t a) const {
    std::set<RequestId> released;
    for (const Node* n = &standing(graph_, outcome_, a); n; n = n->parent)
      released.insert(n->released.begin(), n->released.end());
    return released;
  }

  // Whether the library buffers this unmatched message. `unmatched`: unmatched bytes on this channel, with this
  // message.
  bool buffered(EventRef sent, std::uint64_t unmatched) const {
    const Send& send = graph_.send_of(sent);
    if (send.mode == SendMode::buffered) return true;
    if (send.mode == SendMode::synchronous) return false;
    if (policy_.eager_bytes == Policy::infinite) return true;
    if (policy_.is_mixed()) return std::ranges::find(outcome_.waiting, sent) == outcome_.waiting.end();
    return policy_.eager_bytes > 0 && unmatched <= policy_.eager_bytes;
  }

  void add_pending(std::uint32_t a, std::vector<PendingRequest>& pending) const {
    const Graph::Actor& actor = graph_.actor(a);
    const std::set<RequestId> released = released_by(a);
    std::vector<std::uint64_t> unmatched(graph_.actor_count());  // bytes, by destination
    for (const EventIndex index : actor.requests) {              // in the order in which they were started
      if (!issued(a, index) || matched_.contains({a, index})) continue;
      const Event& event = actor.events[index];
      if (event.kind == EventKind::post && event.decided_by < outcome_.happened[a] &&
          graph_.withdrawn_by(a, actor.events[event.decided_by]) == index)
        continue;
      PendingRequest p;
      p.actor = {a};
      p.request = event.request;
      if (const auto* send = std::get_if<Send>(&event.node->operation)) {
        p.context = send->context;
        p.destination = send->destination;
        p.tag = send->tag;
        p.mode = send->mode;
        p.bytes = send->data.size();
        p.origin = send->origin;
        p.completed = buffered({a, index}, unmatched[send->destination.value] += send->data.size());
      } else if (awaits_birth(event.node->operation)) {
        continue;
      } else if (const auto* post = std::get_if<Post>(&event.node->operation)) {
        p.kind = PendingRequest::Kind::receive;
        p.context = post->pattern.context;
        p.pattern = post->pattern;
      } else if (!add_collective({a, index}, p)) {
        continue;
      }
      p.released = released.contains(p.request);
      pending.push_back(std::move(p));
    }
  }

  // The number of collectives that the actor started in that context before.
  std::uint64_t number_of(EventRef arrival, ContextId context) const {
    const std::vector<Event>& events = graph_.actor(arrival.actor).events;
    return static_cast<std::uint64_t>(
        std::count_if(events.begin(), events.begin() + arrival.event, [context](const Event& event) {
          return event.kind == EventKind::arrive && std::get<Collective>(event.node->operation).context == context;
        }));
  }

  // The issued arrival of another member that disagrees with this one.
  std::optional<EventRef> issued_mismatch(EventRef arrival) const {
    const auto other = graph::disagreement_of(graph_, arrival);
    if (!other) return std::nullopt;
    const EventRef with = other->with;
    return issued(with.actor, with.event) || with.event == outcome_.happened[with.actor] ? std::optional(with)
                                                                                         : std::nullopt;
  }

  // False: the collective can complete and all members that arrived agree, so it is not pending.
  bool add_collective(EventRef arrival, PendingRequest& p) const {
    p.completed = graph::collective_complete(graph_, arrival, outcome_.happened, policy_.synchronising);
    if (p.completed && !issued_mismatch(arrival)) return false;
    const Collective& op = std::get<Collective>(graph_.event(arrival).node->operation);
    p.kind = PendingRequest::Kind::collective;
    p.context = op.context;
    p.name = op.name;
    p.number = number_of(arrival, op.context);
    const graph::CollectiveInstance& instance = *graph_.event(arrival).instance;
    // In a collective between two groups a member does not wait for its own group, unless the policy is synchronising.
    const bool waits_for_all = policy_.synchronising || op.groups.first == 0;
    const std::size_t self = graph::position_in(op, arrival.actor);
    for (std::size_t i = 0; i < op.members.size(); ++i) {
      const ActorId member = op.members[i];
      const bool is_there = instance.arrivals[member.value] < outcome_.happened[member.value];
      if (!is_there && (waits_for_all || needs(op, self, i))) p.missing.push_back(member);
    }
    if (const auto other = graph::disagreement_of(graph_, arrival)) {
      const Collective& theirs = std::get<Collective>(graph_.event(other->with).node->operation);
      p.mismatch_with = {other->with.actor};
      p.mismatch_name = theirs.name;
      p.own = {op.origin, {}, op.root, op.signature, {}};
      p.other = {theirs.origin, {}, theirs.root, theirs.signature, {}};
      p.mismatch = other->on;
    }
    return true;
  }

  ActorOutcome actor(std::uint32_t a, const std::vector<PendingRequest>& pending) const {
    const Operation& operation = standing(graph_, outcome_, a).operation;
    ActorOutcome result;
    if (awaits_birth(operation)) return result;  // it was never born
    if (const auto* end = std::get_if<End>(&operation)) {
      result.exit_status = end->status;
      return result;
    }
    if (const auto* fail = std::get_if<Fail>(&operation)) {
      result.state = State::failed;
      result.failure = fail->kind;
      result.id = fail->id;
      result.what = fail->what;
      return result;
    }
    result.state = State::blocked;
    const auto wait_for = [&](RequestId request) {
      const auto is_it = [&](const PendingRequest& p) { return p.actor.value == a && p.request == request; };
      const auto p = std::find_if(pending.begin(), pending.end(), is_it);
      if (p != pending.end() && !p->completed) result.waits_for.push_back(request);
    };
    if (const auto* send = std::get_if<Send>(&operation)) wait_for(send->request);
    if (const auto* post = std::get_if<Post>(&operation)) wait_for(post->request);
    if (const auto* collective = std::get_if<Collective>(&operation)) wait_for(collective->request);
    if (const auto* probe = std::get_if<Probe>(&operation)) {
      result.probes.push_back(probe->pattern);
      result.polling = !probe->blocking;
    }
    if (const auto* observe = std::get_if<Observe>(&operation)) {
      for (const RequestId r : observe->requests) wait_for(r);
      result.any_suffices = observe->quantifier != Quantifier::all;
      result.polling = !observe->blocking;
    }
    return result;
  }

  const Graph& graph_;
  const PolicyOutcome& outcome_;
  const Policy& policy_;
  std::set<EventRef> matched_;
};

}  // namespace

const Node& standing(const Graph& graph, const PolicyOutcome& outcome, std::uint32_t actor) {
  const Graph::Actor& a = graph.actor(actor);
  return outcome.happened[actor] < a.events.size() ? *a.events[outcome.happened[actor]].node : *a.node;
}

Outcome make_outcome(const Graph& graph, const PolicyOutcome& outcome, const Policy& policy) {
  return Ending(graph, outcome, policy).make();
}

std::optional<Answer> answer_of(const Graph& graph, const Node& node, const graph::Option& option) {
  const auto* observe = std::get_if<Observe>(&node.operation);
  const bool probe = std::holds_alternative<Probe>(node.operation);
  const auto* choose = std::get_if<Choose>(&node.operation);
  if (choose && choose->count == 1) return std::nullopt;
  if (!probe && !choose && (!observe || (observe->blocking && observe->quantifier == Quantifier::all)))
    return std::nullopt;
  Answer answer;
  answer.flag = option.flag;
  answer.completed.assign(option.completed.begin(), option.completed.end());
  if (observe && answer.flag && observe->quantifier == Quantifier::all)
    for (std::uint32_t r = 0; r < observe->requests.size(); ++r) answer.completed.push_back(r);
  if (probe && answer.flag) answer.seen = {ActorId{option.probed.actor}, graph.event(option.probed).request};
  return answer;
}

Schedule make_schedule(const Graph& graph, const PolicyOutcome& outcome) {
  Schedule schedule;
  for (const auto& [receive, send] : outcome.matches) {
    if (std::get<Post>(graph.event(receive).node->operation).taken)
      continue;  // the answer of the probe implies the match
    schedule.matches[{ActorId{receive.actor}, graph.event(receive).request}] = {ActorId{send.actor},
                                                                                graph.event(send).request};
  }
  for (const EventRef send : outcome.waiting) schedule.waits.emplace(ActorId{send.actor}, graph.event(send).request);
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
    for (EventIndex i = 0; i < outcome.happened[a]; ++i) {
      const Event& event = graph.actor(a).events[i];
      if (event.kind != EventKind::observe) continue;
      if (auto answer = answer_of(graph, *event.node, event.option))
        schedule.answers[{ActorId{a}, event.node->depth}] = std::move(*answer);
    }
  return schedule;
}

history::Hash128 shape_of(const Graph& graph, const PolicyOutcome& outcome) {
  std::vector<std::uint64_t> words;
  std::vector<EventRef> matched;
  for (const auto& match : outcome.matches) matched.push_back(match.second);
  std::sort(matched.begin(), matched.end());
  const bool disagrees = has_disagreement(graph);
  const auto add_place = [&words](const Node& node) { words.push_back(node.site ? node.site : node.depth); };
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
    const Node& node = standing(graph, outcome, a);
    words.push_back(node.operation.index());
    words.push_back(node.fingerprint.low);
    add_place(node);
    // Actors that share memory have no site; their failures differ by the text.
    if (const auto* fail = std::get_if<Fail>(&node.operation); fail != nullptr && node.site == 0)
      words.push_back(history::hash_bytes(fail->what.data(), fail->what.size()).low);
    for_each_reporting(node, [&words](const Node& n) {
      for (const Finding& report : n.reports)
        words.push_back(history::hash_bytes(report.id.text().data(), report.id.text().size()).low);
    });
    for (const EventIndex index : graph.actor(a).requests) {
      const Event& event = graph.actor(a).events[index];
      if (event.kind != EventKind::send || index > outcome.happened[a]) continue;
      if (!std::binary_search(matched.begin(), matched.end(), EventRef{a, index})) add_place(*event.node);
    }
    if (disagrees)
      for (const EventIndex index : graph.actor(a).requests) {
        const Event& event = graph.actor(a).events[index];
        if (event.kind == EventKind::arrive && is_issued(graph, outcome, {a, index})) add_place(*event.node);
      }
  }
  for_each_early(graph, outcome, [&](EventRef send) { add_place(*graph.event(send).node); });
  return history::hash_bytes(words.data(), words.size() * sizeof words[0]);
}

bool ends_well(const Graph& graph) {
  const Graph::Tally& tally = graph.tally();
  if (tally.sends != tally.matched || tally.starved > 0 || has_disagreement(graph)) return false;
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
    const Operation& last = graph.actor(a).node->operation;
    const auto* end = std::get_if<End>(&last);
    if (!awaits_birth(last) && (!end || end->status != 0)) return false;
  }
  return true;
}

bool is_spotless(const Graph& graph) {
  if (!ends_well(graph)) return false;
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
    if (graph.actor(a).node->last_report) return false;
  if (graph.tally().ready_sends == 0) return true;
  PolicyOutcome whole;
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
    whole.happened.push_back(static_cast<EventIndex>(graph.actor(a).events.size()));
  bool early = false;
  for_each_early(graph, whole, [&early](EventRef) { early = true; });
  return !early;
}

}  // namespace rehearse::mc::counterexample
