// SPDX-License-Identifier: MIT
//
// The end of an execution, the questions about it, and the solutions.
#include <algorithm>

#include "mc/predict/encoding.hpp"

namespace rehearse::mc::predict {

// A request of an actor that has begun its segment is incomplete at the end.
Term Encoding::is_incomplete(const Request& request) {
  if (request.kind == Request::Kind::receive) {
    const Index m = clusters_.message_of[request.index];
    if (m == none) return formula_.constant(true);
    if (m != Clusters::open)
      return formula_.none(begin_of(course_.messages[m].source, course_.messages[m].segment).begun);
    const auto [cluster, group] = group_of_[request.index];
    return formula_.none(cluster_terms_[cluster].groups[group].full);
  }
  switch (completions_[request.index]) {
    case Completion::at_once: return formula_.constant(false);
    case Completion::by_room: return formula_.none(has_room(request.index, nullptr));
    case Completion::when_matched: break;
  }
  const Index r = clusters_.receive_of[request.index];
  if (r == none) return formula_.constant(true);
  if (r == Clusters::open) return formula_.none(messages_[request.index].matched);
  return formula_.none(begin_of(course_.receives[r].actor, course_.receives[r].segment).begun);
}

// If an open wait has not been passed: the actor has not come there, or cannot go on.
Term Encoding::stands_still(const Place& place) {
  const auto [actor, number] = place;
  const Wait& wait = course_.waits[actor][number];
  const WaitTerms& terms = waits_.at(place);
  std::vector<Term> lacks;
  if (wait.kind == Wait::Kind::all) {
    for (const Request& request : wait.needs)
      if (is_open(request)) lacks.push_back(is_incomplete(request));
    const Point before = behind(order_.before(actor, number + 1), actor, number);
    return formula_.any({terms.passed, formula_.none(before.begun), formula_.any(lacks)});
  }
  const Term there = begin_of(actor, number).begun;
  if (wait.kind == Wait::Kind::poll) return formula_.any({terms.passed, formula_.none(there)});
  for (const Request& request : wait.among) lacks.push_back(is_incomplete(request));
  return formula_.any({terms.passed, formula_.none(there), formula_.all(lacks)});
}

// At the wait that it never passes: it lacks what the wait needs. One that would go on with another answer does not.
Term Encoding::stays_there(Index actor) {
  const Index number = order_.last(actor);
  const Wait& wait = course_.waits[actor][number];
  if (wait.kind == Wait::Kind::all) return formula_.constant(true);
  std::vector<Term> lacks;
  if (wait.kind == Wait::Kind::some)
    for (const Request& request : wait.among) lacks.push_back(is_incomplete(request));
  else lacks.push_back(formula_.constant(false));
  return formula_.any({formula_.none(begin_of(actor, number).begun), formula_.all(lacks)});
}

// No message and receive are left that could be matched.
void Encoding::add_leftovers(const ClusterTerms& terms, std::vector<Term>& conditions) {
  using Key = std::pair<std::optional<ActorId>, std::optional<Tag>>;
  struct Open {
    Index receive;
    std::vector<Term> groups;
  };
  std::map<Key, Open> by_pattern;
  for (const GroupTerms& group : terms.groups) {
    const Index r = group.group.receives[0];
    const Receive& first = course_.receives[r];
    Open& open = by_pattern.try_emplace(Key{first.pattern.source, first.pattern.tag}, Open{r, {}}).first->second;
    open.groups.push_back(formula_.all({begin_of(first.actor, first.segment).begun, formula_.none(group.full)}));
  }
  for (auto& [pattern, open] : by_pattern) {
    const Term is_open = formula_.boolean();
    for (const Term group : open.groups) formula_.require_implies(group, is_open);
    for (const Index m : terms.cluster->messages) {
      const Message& message = course_.messages[m];
      if (!accepts(course_.receives[open.receive], message)) continue;
      const Term sent = begin_of(message.source, message.segment).begun;
      conditions.push_back(formula_.any({formula_.none(sent), messages_[m].matched, formula_.none(is_open)}));
    }
  }
}

Term Encoding::is_maximal() {
  if (maximal_ != nullptr) return maximal_;
  if (!rules_.maximality) return maximal_ = formula_.constant(true);
  std::vector<Term> conditions;
  for (const auto& [place, wait] : waits_) conditions.push_back(stands_still(place));
  for (Index a = 0; a < course_.actor_count(); ++a)
    if (order_.last(a) < course_.waits[a].size()) conditions.push_back(stays_there(a));
  for (const ClusterTerms& terms : cluster_terms_) add_leftovers(terms, conditions);
  return maximal_ = formula_.all(conditions);
}

Term Encoding::is_stuck() {
  std::vector<Term> waits{formula_.constant(!order_.reaches_the_end())};
  for (const auto& [place, wait] : waits_) waits.push_back(formula_.none(wait.passed));
  return formula_.all({is_maximal(), formula_.any(waits)});
}

Term Encoding::loses_message() {
  std::vector<Term> conditions{formula_.constant(order_.reaches_the_end()), is_maximal()}, lost;
  for (const auto& [place, wait] : waits_) conditions.push_back(wait.passed);
  for (const ClusterTerms& terms : cluster_terms_)
    for (const Index m : terms.cluster->messages) lost.push_back(formula_.none(messages_[m].matched));
  conditions.push_back(formula_.any(lost));
  return formula_.all(conditions);
}

Term Encoding::takes(Index receive, Index message) const {
  const auto [cluster, group] = group_of_[receive];
  if (cluster != none)
    for (const Match& match : messages_[message].matches)
      if (match.group == group) return match.taken;
  return formula_.constant(false);
}

std::vector<Unseen> Encoding::unseen_matches() const {
  std::vector<Unseen> result;
  for (const ClusterTerms& terms : cluster_terms_)
    for (const GroupTerms& group : terms.groups) {
      const Index r = group.group.receives[0];
      const Index took = course_.receives[r].took;
      for (const Index m : group.messages) {
        const Message& message = course_.messages[m];
        if (took != none && course_.messages[took].bytes == message.bytes &&
            course_.messages[took].signature == message.signature)
          continue;
        result.push_back({r, m});
      }
    }
  return result;
}

void Encoding::read_matches(Schedule& schedule) {
  for (const ClusterTerms& terms : cluster_terms_)
    for (const GroupTerms& group : terms.groups) {
      std::vector<std::pair<std::int64_t, Index>> taken;
      for (std::size_t i = 0; i < group.messages.size(); ++i)
        if (formula_.value(group.taken[i]))
          taken.emplace_back(formula_.number(messages_[group.messages[i]].date), group.messages[i]);
      std::ranges::sort(taken);
      for (std::size_t i = 0; i < std::min(taken.size(), group.group.receives.size()); ++i) {
        const Receive& receive = course_.receives[group.group.receives[i]];
        const Message& message = course_.messages[taken[i].second];
        schedule.matches[{ActorId{receive.actor}, receive.request}] = {ActorId{message.source}, message.request};
      }
    }
}

void Encoding::read_answers(Schedule& schedule) {
  for (std::size_t i = 0; i < course_.answers.size(); ++i) {
    const GivenAnswer& given = course_.answers[i];
    const auto wait = waits_.find({given.actor, given.wait});
    if (given.wait != none && wait == waits_.end()) continue;
    if (formula_.value(given.wait == none ? answered_[i]->begun : wait->second.passed))
      schedule.answers[{ActorId{given.actor}, given.operation}] = given.answer;
  }
}

Schedule Encoding::solution() {
  Schedule schedule;
  read_matches(schedule);
  read_answers(schedule);
  return schedule;
}

Term Encoding::other_matches() {
  std::vector<Term> others;
  for (const ClusterTerms& terms : cluster_terms_)
    for (const GroupTerms& group : terms.groups)
      for (const Term taken : group.taken) others.push_back(formula_.value(taken) ? formula_.none(taken) : taken);
  return formula_.any(others);
}

Term Encoding::other_end() {
  std::vector<Term> others;
  for (const auto& [place, wait] : waits_)
    others.push_back(formula_.value(wait.passed) ? formula_.none(wait.passed) : wait.passed);
  return formula_.any(others);
}

}  // namespace rehearse::mc::predict
