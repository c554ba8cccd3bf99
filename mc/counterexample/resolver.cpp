// SPDX-License-Identifier: MIT
//
// Examines each event once, and the next call of an actor before its answer.
#include "mc/counterexample/resolver.hpp"

#include <algorithm>

#include "mc/counterexample/ending.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::mc::counterexample {

using graph::EventKind;
using graph::no_event;

namespace {

// A name that no message has. A receive forced to take it waits.
constexpr SendName nobody{ActorId{~std::uint32_t{0}}, RequestId{~std::uint32_t{0}}};

bool is_same_place(const CallSite& a, const CallSite& b) {
  return a.actor == b.actor && a.call == b.call && a.function == b.function && a.occurrence == b.occurrence;
}

std::string ordinal(std::uint32_t number) {
  const std::uint32_t last = number % 100 / 10 == 1 ? 0 : number % 10;
  return fmt::format("{}{}", number, last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

}  // namespace

std::string to_text(const CallSite& site, std::string_view noun) {
  std::string text = fmt::format("the {} {} of {} {}", ordinal(site.occurrence), site.call, noun, site.actor.value);
  if (!site.function.empty()) text += " in " + site.function;
  if (!site.file.empty()) text += fmt::format(" ({}:{})", site.file, site.line);
  return text;
}

Resolver::Resolver(Sites& sites, const std::vector<Decision>& decisions, std::string_view noun)
    : sites_(sites), noun_(noun) {
  for (const Decision& decision : decisions) {
    for (const DecidedMatch& match : decision.matches) matches_.push_back({&match, {}, {}});
    if (decision.answer || decision.waits_for_ever) answers_.push_back({&decision, {}, false, {}});
  }
}

void Resolver::look_at(const Graph& graph, graph::EventRef event) {
  const EventKind kind = graph.event(event).kind;
  if (kind == EventKind::observe) return look_at_observation(graph, event);
  if (kind != EventKind::send && kind != EventKind::post) return;
  const auto wanted = [&](const CallSite& site) { return site.actor.value == event.actor; };
  const bool is_of_interest =
      std::ranges::any_of(matches_,
                          [&](const Match& match) { return wanted(match.of->receive) || wanted(match.of->message); }) ||
      std::ranges::any_of(answers_, [&](const Answered& answer) {
        return answer.of->answer && answer.of->answer->seen && wanted(*answer.of->answer->seen);
      });
  if (!is_of_interest) return;
  const CallSite site = sites_.of(graph, event);
  for (Match& match : matches_) {
    if (kind == EventKind::post && is_same_place(match.of->receive, site)) match.receive = event;
    if (kind == EventKind::send && is_same_place(match.of->message, site)) match.message = event;
  }
  for (Answered& answer : answers_)
    if (kind == EventKind::send && answer.of->answer && answer.of->answer->seen &&
        is_same_place(*answer.of->answer->seen, site))
      answer.message = event;
}

void Resolver::look_at_observation(const Graph& graph, graph::EventRef event) {
  const auto wanted = [&](const Answered& answer) { return answer.of->at.actor.value == event.actor; };
  if (std::ranges::none_of(answers_, wanted)) return;
  const CallSite site = sites_.of(graph, event);
  for (Answered& answer : answers_) {
    if (!is_same_place(answer.of->at, site)) continue;
    answer.is_known = true;
    answer.observation = event;
  }
}

// Whether the actor's next call is at this site and observes.
bool Resolver::stands_at(const Graph& graph, const CallSite& site) {
  const Graph::Actor& actor = graph.actor(site.actor.value);
  const Operation& operation = actor.node->operation;
  const bool observes = std::holds_alternative<Observe>(operation) || std::holds_alternative<Probe>(operation) ||
                        std::holds_alternative<Choose>(operation) || actor.issued;
  return observes && is_same_place(site, sites_.of_next(graph, site.actor.value));
}

void Resolver::look_ahead(const Graph& graph, Forced& must) {
  for (Answered& answer : answers_) {
    const ActorId actor = answer.of->at.actor;
    if (actor.value >= graph.actor_count()) continue;
    const history::Node& node = *graph.actor(actor.value).node;
    const std::pair key{actor, node.depth};
    if (!answer.is_known) {
      if (!stands_at(graph, answer.of->at)) continue;
      answer.is_known = true;
    } else if (!must.schedule.answers.contains(key)) {
      continue;
    }
    if (answer.of->waits_for_ever) {
      must.starved.insert(key);
      continue;
    }
    Answer& forced = must.schedule.answers[key];
    forced.flag = answer.of->answer->flag;
    forced.completed = answer.of->answer->completed;
    if (!answer.of->answer->seen) continue;
    forced.seen = answer.message.event == no_event
                      ? nobody
                      : SendName{ActorId{answer.message.actor}, graph.event(answer.message).request};
  }
}

void Resolver::look_at_new_events(const Graph& graph) {
  examined_.resize(graph.actor_count());
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
    for (; examined_[a] < graph.actor(a).events.size(); ++examined_[a]) look_at(graph, {a, examined_[a]});
}

void Resolver::update(const Graph& graph, Forced& must) {
  look_at_new_events(graph);
  for (const Match& match : matches_) {
    if (match.receive.event == no_event) continue;
    must.schedule.matches[{ActorId{match.receive.actor}, graph.event(match.receive).request}] =
        match.message.event == no_event ? nobody
                                        : SendName{ActorId{match.message.actor}, graph.event(match.message).request};
  }
  look_ahead(graph, must);
}

bool Resolver::is_as_decided(const Graph& graph, const Answered& answer) {
  if (answer.observation.event == no_event) return answer.of->waits_for_ever;
  const graph::Event& event = graph.event(answer.observation);
  if (answer.of->waits_for_ever || event.option.starved) return answer.of->waits_for_ever == event.option.starved;
  const std::optional<Answer> given = answer_of(graph, *event.node, event.option);
  const DecidedAnswer& decided = *answer.of->answer;
  if (!given || given->flag != decided.flag || given->completed != decided.completed) return false;
  return !decided.seen || (answer.message.event != no_event && event.option.probed == answer.message);
}

std::vector<std::string> Resolver::problems(const Graph& graph, const std::vector<graph::EventRef>& impossible) {
  look_at_new_events(graph);
  const auto text_of = [this](const CallSite& site) { return to_text(site, noun_); };
  std::vector<std::string> texts;
  for (const Match& match : matches_) {
    const DecidedMatch& of = *match.of;
    if (match.receive.event == no_event) texts.push_back(text_of(of.receive) + " no longer exists");
    else if (match.message.event == no_event)
      texts.push_back(text_of(of.message) + " no longer exists; " + text_of(of.receive) + " should take its message");
    else if (graph.event(match.receive).partner != match.message)
      texts.push_back(text_of(of.receive) + " cannot take the message of " + text_of(of.message));
  }
  for (const Answered& answer : answers_) {
    const CallSite& at = answer.of->at;
    if (!answer.is_known && (at.actor.value >= graph.actor_count() || !stands_at(graph, at)))
      texts.push_back(text_of(at) + " no longer exists");
    else if (!is_as_decided(graph, answer)) texts.push_back(text_of(at) + " cannot be answered as before");
  }
  if (texts.empty() && !impossible.empty())
    texts.push_back(fmt::format("{} {} cannot be answered as before", noun_, impossible.front().actor));
  return texts;
}

}  // namespace rehearse::mc::counterexample
