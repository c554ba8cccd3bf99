// SPDX-License-Identifier: MIT
//
// The scheduler: starts operations, and makes observations with and without a choice.
#include "mc/reduction/execution_builder.hpp"

#include <algorithm>

#include "mc/graph/collective_instance.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::mc::reduction {

using graph::Event;
using graph::EventIndex;
using graph::EventKind;
using graph::Graph;
using graph::no_event;
using history::Node;

namespace {

// Consecutive answers "no" while nothing else can happen, after which the actor counts as making no progress.
constexpr std::uint32_t max_forced_refusals = 10000;  // per actor; large because programs also compute between polls

bool superset(const Pattern& a, const Pattern& b) {
  return a.context == b.context && (!a.source || a.source == b.source) && (!a.tag || a.tag == b.tag);
}

}  // namespace

using Added = ExecutionBuilder::Added;

ExecutionBuilder::ExecutionBuilder(history::History& history, std::uint32_t actors, std::uint32_t polls)
    : history_(history),
      graph_(actors),
      questions_(polls),
      may_start_(actors),
      may_settle_(actors),
      may_observe_(actors),
      all_(actors, no_event),
      polls_(polls) {
  for (std::uint32_t a = 0; a < actors; ++a) graph_.stand_at(a, history_.start({a}));
}

void ExecutionBuilder::forget_histories(std::vector<const Node*> others) {
  for (std::uint32_t a = 0; a < graph_.actor_count(); ++a) others.push_back(graph_.actor(a).node);
  history_.collect(others);
}

View ExecutionBuilder::now(std::uint32_t actor) const {
  return {actor, static_cast<EventIndex>(graph_.actor(actor).events.size()), all_};
}

Added ExecutionBuilder::grow_without_choice() {
  const Added started = lowest(may_start_, &ExecutionBuilder::start_something);
  return started != Added::nothing ? started : lowest(may_settle_, &ExecutionBuilder::observe_settled);
}

// Makes the step for the lowest actor that can. Removes actors that cannot from the candidates, until wake() adds them.
Added ExecutionBuilder::lowest(ActorSet& candidates, Added (ExecutionBuilder::*step)(std::uint32_t)) {
  for (;;) {
    const std::uint32_t actor = candidates.lowest();
    if (actor == ActorSet::nobody) return Added::nothing;
    const Added added = (this->*step)(actor);
    if (added != Added::nothing) return note(added, actor);
    candidates.remove(actor);
  }
}

// The actor, or the events that it waits for, have changed: it may now be able to make a step.
void ExecutionBuilder::wake(std::uint32_t actor) {
  may_start_.add(actor);
  may_settle_.add(actor);
  may_observe_.add(actor);
}

void ExecutionBuilder::wake_all() {
  may_start_.add_all();
  may_settle_.add_all();
  may_observe_.add_all();
}

void ExecutionBuilder::wake_members(const Event& arrival) {
  const Collective& collective = std::get<Collective>(arrival.node->operation);
  if (needs_everybody(collective) && arrival.instance->arrived < collective.members.size()) return;
  for (const ActorId member : collective.members) {
    may_settle_.add(member.value);
    may_observe_.add(member.value);
  }
}

// A send, a posted receive, or the arrival at a collective.
Added ExecutionBuilder::start_something(std::uint32_t actor) {
  const Graph::Actor& a = graph_.actor(actor);
  if (a.issued) return Added::nothing;
  const Node& node = *a.node;
  bool blocking = false;
  Added added = Added::plain;
  if (const auto* send = std::get_if<Send>(&node.operation)) {
    graph_.append(actor, EventKind::send);
    graph_.register_send(actor, *send);
    may_settle_.add(send->destination.value);
    may_observe_.add(send->destination.value);
    added = Added::offer;
  } else if (const auto* post = std::get_if<Post>(&node.operation)) {
    graph_.append(actor, EventKind::post);
    graph_.register_post(actor);
    blocking = post->blocking;
  } else if (const auto* collective = std::get_if<Collective>(&node.operation)) {
    graph_.append(actor, EventKind::arrive);
    graph_.register_arrival(actor, *collective);
    wake_members(a.events.back());
    blocking = collective->blocking;
    if (graph_.tally().collective_questions > 0) added = Added::offer;
  } else {
    return Added::nothing;
  }
  if (blocking) graph_.stand_at(actor, &node, true);
  else move_on(actor, [&] { graph_.stand_at(actor, history_.advance(&node)); });
  wake(actor);
  return added;
}

bool ExecutionBuilder::stands_at_observation(std::uint32_t actor) const {
  const Graph::Actor& a = graph_.actor(actor);
  if (!a.events.empty() && a.events.back().option.starved) return false;
  return a.issued || std::holds_alternative<Observe>(a.node->operation) ||
         std::holds_alternative<Choose>(a.node->operation) || std::holds_alternative<Probe>(a.node->operation);
}

// Turns the question into a decision about one receive, if that must come first: an earlier receive whose pattern
// includes that of the first undecided target, otherwise the first target if there are several.
void ExecutionBuilder::decide_first(std::uint32_t actor, Pending& pending) const {
  const Question& question = pending.question;
  if (question.probe || !question.blocking || question.quantifier != Quantifier::all) return;
  EventIndex first = no_event;
  std::size_t undecided = 0;
  for (const Question::Target& t : question.targets) {
    if (t.post != no_event) first = std::min(first, t.post);
    undecided += !t.complete;
  }
  if (first == no_event) return;
  const Graph::Actor& a = graph_.actor(actor);
  const Pattern& wanted = graph_.pattern_of(actor, first);
  EventIndex decide = undecided == 1 ? no_event : first;
  for (const EventIndex post : a.open_posts) {
    if (post >= first) break;
    if (!superset(graph_.pattern_of(actor, post), wanted)) continue;
    decide = post;
    break;
  }
  if (decide == no_event) return;
  pending.kind = EventKind::decide;
  pending.decides = a.events[decide].request;
  pending.question = Questions::decision(decide);
}

std::optional<ExecutionBuilder::Pending> ExecutionBuilder::pending(std::uint32_t actor) {
  if (!stands_at_observation(actor)) return std::nullopt;
  const Graph::Actor& a = graph_.actor(actor);
  Pending pending;
  if (const auto* collective = std::get_if<Collective>(&a.node->operation)) {
    const graph::EventRef arrival{actor, a.requests[collective->request.value]};
    pending.satisfied = graph::collective_complete(graph_, arrival, all_, false);
    if (!pending.satisfied) return std::nullopt;
    return pending;
  }
  pending.question = questions_.observation(graph_, now(actor), *a.node, false);
  decide_first(actor, pending);
  const Question& q = pending.question;
  pending.satisfied = q.choices == 0 && !q.probe && q.blocking && q.quantifier == Quantifier::all &&
                      std::all_of(q.targets.begin(), q.targets.end(), [](const auto& t) { return t.complete; });
  return pending;
}

// Whether no other option can appear later: one source, and no earlier pending receive of the actor that can interfere.
bool ExecutionBuilder::is_settled(std::uint32_t actor, const Question& question) const {
  if (!question.blocking) return false;
  const Graph::Actor& a = graph_.actor(actor);
  const auto nothing_pending_before = [&](EventIndex limit) {
    return a.open_posts.empty() || a.open_posts.front() >= limit;
  };
  if (question.probe)
    return question.pattern.source && nothing_pending_before(static_cast<EventIndex>(a.events.size()));
  if (question.targets.size() != 1 || question.targets[0].post == no_event) return false;
  const EventIndex post = question.targets[0].post;
  return graph_.pattern_of(actor, post).source && nothing_pending_before(post);
}

// Lets the actor continue behind its last event. If it is interrupted, undoes that event.
template <class Advance>
void ExecutionBuilder::move_on(std::uint32_t actor, const Advance& advance) {
  try {
    advance();
  } catch (const history::GivenUp&) {
    graph_.set_next_stamp(graph_.actor(actor).events.back().stamp);
    graph_.pop(actor);
    wake(actor);
    throw;
  }
}

void ExecutionBuilder::add_observation(std::uint32_t actor, EventKind kind, RequestId decides, Option option,
                                       bool settled) {
  graph_.append(actor, kind, decides, settled);
  graph_.set_option(actor, std::move(option));
  if (kind == EventKind::observe) move_on(actor, [&] { advance_observer(actor); });
  wake(actor);
}

// The actor gets its answer and continues. The arrivals that it waited for become part of its past.
void ExecutionBuilder::advance_observer(std::uint32_t actor) {
  const Graph::Actor& a = graph_.actor(actor);
  const Option& option = a.events.back().option;
  if (option.starved) return;
  const auto join = [&](RequestId request) {
    const EventIndex started = a.requests[request.value];
    if (a.events[started].kind == EventKind::arrive) graph::join_collective(graph_, {actor, started}, actor);
  };
  if (option.flag) {
    if (const auto* collective = std::get_if<Collective>(&a.node->operation)) join(collective->request);
    if (const auto* observe = std::get_if<Observe>(&a.node->operation)) {
      for (std::uint32_t i = 0; i < observe->requests.size(); ++i)
        if (observe->quantifier == Quantifier::all ||
            std::find(option.completed.begin(), option.completed.end(), i) != option.completed.end())
          join(observe->requests[i]);
    }
  }
  const Node& node = *a.node;
  graph_.stand_at(actor, history_.advance(&node, reply_key(graph_, actor, node, option), [&](history::Reply& reply) {
    make_reply(graph_, actor, node, option, reply);
  }));
}

// Makes an observation that can never have another answer.
Added ExecutionBuilder::observe_settled(std::uint32_t actor) {
  const std::optional<Pending> p = pending(actor);
  if (!p) return Added::nothing;
  Option option;
  if (!p->satisfied) {
    if (!is_settled(actor, p->question)) return Added::nothing;
    options_.enumerate(graph_, now(actor), p->question, scratch_);
    if (scratch_.empty()) return Added::nothing;
    REHEARSE_ASSERT(scratch_.size() == 1, "a settled observation has one option");
    option = std::move(scratch_.front());
  }
  add_observation(actor, p->kind, p->decides, std::move(option), true);
  return Added::plain;
}

// The question of the actor, with all its possible answers in `options`; nothing if there is no answer yet.
std::optional<ExecutionBuilder::Pending> ExecutionBuilder::open_question(std::uint32_t actor,
                                                                         std::vector<Option>& options) {
  std::optional<Pending> p = pending(actor);
  if (!p || p->satisfied) return std::nullopt;
  options_.enumerate(graph_, now(actor), p->question, options);
  if (options.empty()) return std::nullopt;
  const Node* node = graph_.actor(actor).node;
  if (!has_left_out_refusals_ && !p->question.blocking && !p->question.no_is_possible &&
      Questions::is_refused_enough(graph_, now(actor), *node, polls_))
    has_left_out_refusals_ = !history_.is_going_round(node);
  if (p->question.blocking && options_.can_starve(graph_, now(actor), p->question))
    options.emplace_back().starved = true;
  return p;
}

Added ExecutionBuilder::observe_open(std::uint32_t actor) {
  const std::optional<Pending> p = open_question(actor, scratch_);
  if (!p) return Added::nothing;
  if (scratch_.size() == 1) {
    add_observation(actor, p->kind, p->decides, std::move(scratch_.front()), false);
    return Added::plain;
  }
  choices_.assign(scratch_.begin(), scratch_.end());
  if (p->kind == EventKind::observe) history_.announce_returns(graph_.actor(actor).node, choices_.size() - 1);
  add_observation(actor, p->kind, p->decides, choices_.front(), false);
  return Added::choice;
}

// Takes the first actor that can observe something, beginning at a random one. This excludes no class: messages that
// come before a late observation only add options.
Added ExecutionBuilder::observe_by_chance(SplitMix& chance) {
  const std::uint32_t actors = graph_.actor_count();
  const auto first = static_cast<std::uint32_t>(chance.below(actors));
  for (std::uint32_t i = 0; i < actors; ++i) {
    const std::uint32_t actor = (first + i) % actors;
    scratch_.clear();
    const std::optional<Pending> p = open_question(actor, scratch_);
    if (!p) continue;
    Option option = std::move(scratch_[chance.below(scratch_.size())]);
    add_observation(actor, p->kind, p->decides, std::move(option), false);
    return note(Added::plain, actor);
  }
  return Added::nothing;
}

Added ExecutionBuilder::observe_as_guided(Guide& guide, bool is_last) {
  for (std::uint32_t actor = 0; actor < graph_.actor_count(); ++actor) {
    scratch_.clear();
    const std::optional<Pending> p = open_question(actor, scratch_);
    if (!p) continue;
    const auto chosen = guide.choose(graph_, {actor, p->kind, p->decides}, scratch_, is_last);
    if (!chosen) continue;
    add_observation(actor, p->kind, p->decides, Option(scratch_[*chosen]), false);
    return note(Added::plain, actor);
  }
  return Added::nothing;
}

Added ExecutionBuilder::refuse_as_guided(Guide& guide) {
  for (std::uint32_t actor = 0; actor < graph_.actor_count(); ++actor)
    if (guide.refuses(graph_, actor) && refuse_poll(actor) != Added::nothing) return note(Added::plain, actor);
  return Added::nothing;
}

Added ExecutionBuilder::refuse_some_poll(Refusals& refusals) {
  const std::uint32_t actors = graph_.actor_count();
  if (refusals.in_a_row >= max_forced_refusals * actors) return Added::nothing;
  const std::uint32_t last = refusals.in_a_row == 0 ? actors - 1 : refusals.last_actor;
  for (std::uint32_t i = 1; i <= actors; ++i) {
    const std::uint32_t actor = (last + i) % actors;
    if (refuse_poll(actor) == Added::nothing) continue;
    ++refusals.in_a_row;
    refusals.last_actor = actor;
    return note(Added::plain, actor);
  }
  return Added::nothing;
}

Added ExecutionBuilder::refuse_poll(std::uint32_t actor) {
  if (!stands_at_observation(actor)) return Added::nothing;
  const Node& node = *graph_.actor(actor).node;
  const auto* observe = std::get_if<Observe>(&node.operation);
  const auto* probe = std::get_if<Probe>(&node.operation);
  if ((!observe || observe->blocking) && (!probe || probe->blocking)) return Added::nothing;
  Option no;
  no.flag = false;
  add_observation(actor, EventKind::observe, {}, no, false);
  graph_.mark_forced(actor);
  return Added::plain;
}

std::vector<std::string> ExecutionBuilder::unsupported() const {
  if (!options_.left_out()) return {};
  return {fmt::format("a call that completes some of more than {} requests that are ready", max_subset_targets)};
}

// Checks the guess that Option::starved makes, for each starved actor.
bool ExecutionBuilder::is_real() {
  if (graph_.tally().starved == 0) return true;
  for (std::uint32_t a = 0; a < graph_.actor_count(); ++a) {
    const std::vector<Event>& events = graph_.actor(a).events;
    if (events.empty() || !events.back().option.starved) continue;
    const View view{a, static_cast<EventIndex>(events.size() - 1), all_};
    if (!options_.starves(graph_, view, questions_.of_event(graph_, view, events.back()))) return false;
  }
  return true;
}

void ExecutionBuilder::take_back(std::uint32_t actor) {
  graph_.set_next_stamp(graph_.actor(actor).events.back().stamp);
  graph_.pop(actor);
  wake(actor);
}

void ExecutionBuilder::replace_option(std::uint32_t actor, const Option& option, const Option& before) {
  const Event& last = graph_.actor(actor).events.back();
  const EventKind kind = last.kind;
  const RequestId decides = last.request;
  graph_.set_next_stamp(last.stamp);
  graph_.pop(actor);
  try {
    add_observation(actor, kind, decides, option, false);
  } catch (const history::GivenUp&) {  // cannot throw: the node of this answer exists
    add_observation(actor, kind, decides, before, false);
    throw;
  }
}

Graph::Removed ExecutionBuilder::remove_last(std::uint32_t actor) {
  Graph::Removed removed = graph_.remove_last(actor);
  wake(actor);
  return removed;
}

void ExecutionBuilder::put_back(std::vector<Graph::Removed>& removed, std::uint32_t next_stamp) {
  graph_.set_next_stamp(next_stamp);
  while (!removed.empty()) {
    graph_.put_back(std::move(removed.back()));
    removed.pop_back();
  }
  wake_all();
}

void ExecutionBuilder::add_again(std::uint32_t actor, const Event& removed, const Option& option,
                                 std::uint32_t next_stamp) {
  graph_.set_next_stamp(removed.stamp);
  add_observation(actor, removed.kind, removed.request, option, false);
  if (removed.forced) graph_.mark_forced(actor);
  graph_.set_next_stamp(next_stamp);
}

}  // namespace rehearse::mc::reduction
