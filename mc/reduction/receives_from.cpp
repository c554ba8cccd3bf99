// SPDX-License-Identifier: MIT
//
// The forward half of receives-from exploration: growing a graph until it is maximal.
#include "mc/reduction/receives_from.hpp"

#include <algorithm>

#include "mc/graph/meeting.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::mc {

namespace {

// Polls that are answered "no" although nothing else can happen, before the actor counts as making no progress.
constexpr std::uint32_t max_forced_refusals = 10000;  // per actor: programs compute between polls, too

bool superset(const Pattern& a, const Pattern& b) {
  return a.context == b.context && (!a.source || a.source == b.source) && (!a.tag || a.tag == b.tag);
}

}  // namespace

Matching::Matching(History& history, std::uint32_t actors, std::uint32_t polls, GoesOn goes_on)
    : history_(history),
      graph_(actors),
      questions_(polls),
      may_start_(actors),
      may_settle_(actors),
      may_observe_(actors),
      all_(actors, no_event),
      goes_on_(std::move(goes_on)),
      polls_(polls) {
  for (std::uint32_t a = 0; a < actors; ++a) graph_.actor(a).node = history_.start({a});
}

// Where an actor is given up, all is as it was before its step.
bool Matching::run(const Visitor& visit) {
  try {
    return go_through(visit);
  } catch (const GivenUp&) {
    while (goes_on_(*this)) continue;
    return false;
  }
}

bool Matching::go_through(const Visitor& visit) {
  for (;;) {
    while (!is_at_leaf_) {
      is_at_leaf_ = !step();
      if (!is_at_leaf_ && !count_event()) return false;
      if (is_at_leaf_ && leaf_is_real() && !visit_leaf(visit)) return false;
    }
    if (history_.is_full()) forget_histories();
    if (!backtrack()) return true;
    unasked_ = std::min(unasked_, trail_.size() - 1);
    is_at_leaf_ = false;
    if (!count_event()) return false;
  }
}

// An actor may be run, and be given up, for a report.
bool Matching::visit_leaf(const Visitor& visit) {
  try {
    return visit(graph_);
  } catch (const GivenUp&) {
    visit_again();
    throw;
  }
}

bool Matching::count_event() { return ++events_ % events_between_ != 0 || goes_on_(*this); }

// Only what the graph, and what may be put back into it, stands on is needed.
void Matching::forget_histories() {
  std::vector<const Node*> needed;
  for (std::uint32_t a = 0; a < graph_.actor_count(); ++a) needed.push_back(graph_.actor(a).node);
  for (const Entry& entry : trail_)
    for (const Graph::Removed& removed : entry.removed) needed.push_back(removed.node_after);
  history_.collect(needed);
}

View Matching::now(std::uint32_t actor) {
  return {actor, static_cast<EventIndex>(graph_.actor(actor).events.size()), all_};
}

// One more event, by a fixed rule: what needs no choice first, then the lowest actor that has one.
bool Matching::step() {
  return lowest(may_start_, &Matching::start_something) || lowest(may_settle_, &Matching::observe_settled) ||
         lowest(may_observe_, &Matching::observe_open) || refuse_some_poll();
}

// The lowest actor that can. Those that cannot are not asked again until something happens that may change that.
bool Matching::lowest(ActorSet& candidates, bool (Matching::*step)(std::uint32_t)) {
  for (;;) {
    const std::uint32_t actor = candidates.lowest();
    if (actor == ActorSet::nobody) return false;
    if ((this->*step)(actor)) return true;
    candidates.remove(actor);
  }
}

// What the actor could not do before it may be able to do now: it, or what it waits for, has changed.
void Matching::wake(std::uint32_t actor) {
  may_start_.add(actor);
  may_settle_.add(actor);
  may_observe_.add(actor);
}

void Matching::wake_members(const Event& arrival) {
  const Collective& collective = std::get<Collective>(arrival.node->operation);
  if (needs_everybody(collective) && arrival.meeting->arrived < collective.members.size()) return;
  for (const ActorId member : collective.members) {
    may_settle_.add(member.value);
    may_observe_.add(member.value);
  }
}

// A send, a posted receive, or the arrival at a collective.
bool Matching::start_something(std::uint32_t actor) {
  Graph::Actor& a = graph_.actor(actor);
  if (a.issued) return false;
  const Node& node = *a.node;
  bool blocking = false;
  Entry::Kind kind = Entry::Kind::plain;
  if (const auto* send = std::get_if<Send>(&node.operation)) {
    graph_.append(actor, EventKind::send);
    graph_.register_send(actor, *send);
    may_settle_.add(send->destination.value);
    may_observe_.add(send->destination.value);
    kind = Entry::Kind::offer;
  } else if (const auto* post = std::get_if<Post>(&node.operation)) {
    graph_.append(actor, EventKind::post);
    graph_.register_post(actor);
    blocking = post->blocking;
  } else if (const auto* collective = std::get_if<Collective>(&node.operation)) {
    graph_.append(actor, EventKind::arrive);
    graph_.register_arrival(actor, *collective);
    wake_members(a.events.back());
    blocking = collective->blocking;
    if (graph_.tally().collective_questions > 0) kind = Entry::Kind::offer;
  } else {
    return false;
  }
  if (blocking)
    a.issued = true;
  else
    move_on(actor, [&] { a.node = history_.advance(&node); });
  wake(actor);
  Entry& entry = push(kind, actor);
  if (kind == Entry::Kind::offer && !may_revisit(entry)) entry.next = no_event;
  return true;
}

// The actor has a new event. The new entry's check says what led to it.
Matching::Entry& Matching::push(Entry::Kind kind, std::uint32_t actor) {
  std::uint64_t check = 0;
  std::uint32_t turns = kind == Entry::Kind::revisit;
  const auto mix = [&check](std::uint64_t word) {
    check = (check ^ word) * 0x9e3779b97f4a7c15;
    check ^= check >> 32;
  };
  if (!trail_.empty()) {
    const Entry& before = trail_.back();
    turns += before.turns;
    mix(before.check);
    mix(before.next);
    mix(static_cast<std::uint64_t>(before.candidate));
  }
  mix(static_cast<std::uint64_t>(kind) << 32 | actor);
  mix(graph_.actor(actor).events.back().node->asked);
  Entry& entry = trail_.emplace_back();
  entry.kind = kind;
  entry.actor = actor;
  entry.event = static_cast<EventIndex>(graph_.actor(actor).events.size() - 1);
  entry.check = check;
  entry.turns = turns;
  return entry;
}

bool Matching::stands_at_observation(std::uint32_t actor) const {
  const Graph::Actor& a = graph_.actor(actor);
  if (!a.events.empty() && a.events.back().option.starved) return false;
  return a.issued || std::holds_alternative<Observe>(a.node->operation) ||
         std::holds_alternative<Choose>(a.node->operation) ||
         std::holds_alternative<Probe>(a.node->operation);
}

// Which receive must be decided before the question can be answered, if any: one that was posted earlier and takes all
// that an undecided target takes, else the first target where there are several.
void Matching::decide_first(std::uint32_t actor, Pending& pending) const {
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

std::optional<Matching::Pending> Matching::pending(std::uint32_t actor) {
  if (!stands_at_observation(actor)) return std::nullopt;
  Graph::Actor& a = graph_.actor(actor);
  Pending pending;
  if (const auto* collective = std::get_if<Collective>(&a.node->operation)) {
    const EventRef arrival{actor, a.requests[collective->request.value]};
    pending.satisfied = collective_complete(graph_, arrival, all_, false);
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

// No other option can ever appear: one source, and no other pending receive of the actor that could interfere.
bool Matching::is_settled(std::uint32_t actor, const Question& question) const {
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

// The actor goes on behind its last event, which is taken back if it is given up.
template <class Advance>
void Matching::move_on(std::uint32_t actor, const Advance& advance) {
  try {
    advance();
  } catch (const GivenUp&) {
    graph_.set_next_stamp(graph_.actor(actor).events.back().stamp);
    graph_.pop(actor);
    wake(actor);
    throw;
  }
}

void Matching::add_observation(std::uint32_t actor, EventKind kind, RequestId decides, Option option, bool settled) {
  Event& event = graph_.append(actor, kind);
  event.request = decides;
  event.settled = settled;
  graph_.set_option(actor, std::move(option));
  if (kind == EventKind::observe) move_on(actor, [&] { advance_observer(actor); });
  wake(actor);
}

// The actor gets its answer and goes on; what it waited for is in its past.
void Matching::advance_observer(std::uint32_t actor) {
  Graph::Actor& a = graph_.actor(actor);
  const Option& option = a.events.back().option;
  if (option.starved) return;
  const auto join = [&](RequestId request) {
    const EventIndex started = a.requests[request.value];
    if (a.events[started].kind == EventKind::arrive) join_collective(graph_, {actor, started}, actor);
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
  a.node = history_.advance(&node, reply_key(graph_, actor, node, option),
                            [&](Reply& reply) { make_reply(graph_, actor, node, option, reply); });
  a.issued = false;
}

// An observation that cannot be answered in another way.
bool Matching::observe_settled(std::uint32_t actor) {
  const std::optional<Pending> p = pending(actor);
  if (!p) return false;
  Option option;
  if (!p->satisfied) {
    if (!is_settled(actor, p->question)) return false;
    options_.enumerate(graph_, now(actor), p->question, scratch_);
    if (scratch_.empty()) return false;
    REHEARSE_ASSERT(scratch_.size() == 1, "a settled observation has one option");
    option = std::move(scratch_.front());
  }
  add_observation(actor, p->kind, p->decides, std::move(option), true);
  push(Entry::Kind::plain, actor);
  return true;
}

// What the actor asks and all that it can be answered now; nothing if there is no answer yet.
std::optional<Matching::Pending> Matching::open_question(std::uint32_t actor, std::vector<Option>& options) {
  std::optional<Pending> p = pending(actor);
  if (!p || p->satisfied) return std::nullopt;
  options_.enumerate(graph_, now(actor), p->question, options);
  if (options.empty()) return std::nullopt;
  const Node* node = graph_.actor(actor).node;
  if (!refusals_left_out_ && !p->question.blocking && !p->question.no_is_possible &&
      Questions::is_refused_enough(graph_, now(actor), *node, polls_))
    refusals_left_out_ = !history_.is_going_round(node);
  if (p->question.blocking && options_.can_starve(graph_, now(actor), p->question))
    options.emplace_back().starved = true;
  return p;
}

bool Matching::observe_open(std::uint32_t actor) {
  const std::optional<Pending> p = open_question(actor, scratch_);
  if (!p) return false;
  if (scratch_.size() == 1) {
    add_observation(actor, p->kind, p->decides, std::move(scratch_.front()), false);
    push(Entry::Kind::plain, actor);
    return true;
  }
  std::vector<Option> options(scratch_.begin(), scratch_.end());
  if (p->kind == EventKind::observe) history_.announce_returns(graph_.actor(actor).node, options.size() - 1);
  add_observation(actor, p->kind, p->decides, options.front(), false);
  Entry& entry = push(Entry::Kind::choice, actor);
  entry.options = std::move(options);
  entry.next = 1;
  entry.width = static_cast<std::uint32_t>(entry.options.size());
  return true;
}

// Starting with any actor, the first that can observe something. Observing late excludes nothing: what others send
// meanwhile only adds options.
bool Matching::observe_by_chance(SplitMix& chance) {
  const std::uint32_t actors = graph_.actor_count();
  const auto first = static_cast<std::uint32_t>(chance.below(actors));
  for (std::uint32_t i = 0; i < actors; ++i) {
    const std::uint32_t actor = (first + i) % actors;
    scratch_.clear();
    const std::optional<Pending> p = open_question(actor, scratch_);
    if (!p) continue;
    Option option = std::move(scratch_[chance.below(scratch_.size())]);
    add_observation(actor, p->kind, p->decides, std::move(option), false);
    push(Entry::Kind::plain, actor);
    return true;
  }
  return false;
}

const Graph* Matching::walk(SplitMix& chance) {
  try {
    return walk_on(chance);
  } catch (const GivenUp&) {
    while (goes_on_(*this)) continue;
    return nullptr;
  }
}

const Graph* Matching::walk_on(SplitMix& chance) {
  while (lowest(may_start_, &Matching::start_something) || lowest(may_settle_, &Matching::observe_settled) ||
         observe_by_chance(chance) || refuse_some_poll())
    if (!count_event()) return nullptr;
  return leaf_is_real() ? &graph_ : nullptr;
}

// Nothing else can happen: polls that may not be refused for fairness are refused after all, those of all actors in
// turn, since what one of them waits for may be what another does after its next refusal.
bool Matching::refuse_some_poll() {
  const std::uint32_t actors = graph_.actor_count();
  const std::uint32_t row = trail_.empty() ? 0 : trail_.back().refused_in_a_row;
  if (row >= max_forced_refusals * actors) return false;
  const std::uint32_t last = row == 0 ? actors - 1 : trail_.back().actor;
  for (std::uint32_t i = 1; i <= actors; ++i) {
    if (!refuse_poll((last + i) % actors)) continue;
    trail_.back().refused_in_a_row = row + 1;
    return true;
  }
  return false;
}

bool Matching::refuse_poll(std::uint32_t actor) {
  if (!stands_at_observation(actor)) return false;
  const Node& node = *graph_.actor(actor).node;
  const auto* observe = std::get_if<Observe>(&node.operation);
  const auto* probe = std::get_if<Probe>(&node.operation);
  if ((!observe || observe->blocking) && (!probe || probe->blocking)) return false;
  Option no;
  no.flag = false;
  add_observation(actor, EventKind::observe, {}, no, false);
  graph_.actor(actor).events.back().forced = true;
  push(Entry::Kind::plain, actor);
  return true;
}

std::vector<std::string> Matching::unsupported() const {
  if (!options_.left_out()) return {};
  return {"a call that completes some of more than " + std::to_string(max_subset_targets) + " requests that are ready"};
}

// An execution in which an actor is said to wait for ever must be one in which it does.
bool Matching::leaf_is_real() {
  if (graph_.tally().starved == 0) return true;
  for (std::uint32_t a = 0; a < graph_.actor_count(); ++a) {
    const std::vector<Event>& events = graph_.actor(a).events;
    if (events.empty() || !events.back().option.starved) continue;
    const View view{a, static_cast<EventIndex>(events.size() - 1), all_};
    if (!options_.starves(graph_, view, questions_.of_event(graph_, view, events.back()))) return false;
  }
  return true;
}

}  // namespace rehearse::mc
