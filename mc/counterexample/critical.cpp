// SPDX-License-Identifier: MIT
//
// Tries the choices from the last one back to the first.
#include "mc/counterexample/critical.hpp"

#include <algorithm>
#include <ranges>

namespace rehearse::mc::counterexample {

namespace {

constexpr std::size_t alternatives_max = 8;  // of one choice

void add_late_messages(const graph::Graph& graph, const Taken& taken, std::vector<Forced>& alternatives) {
  const std::uint32_t reader = taken.event.actor;
  const Forced& chosen = taken.options[taken.chosen];
  for (const auto& [receive, source] : chosen.schedule.matches) {
    const graph::EventIndex post = graph.actor(reader).requests[receive.second.value];
    const Pattern& pattern = graph.pattern_of(reader, post);
    for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
      if (a == source.source.value) continue;  // its other messages come in their order
      for (const graph::EventIndex send : graph.actor(reader).inbox[a]) {
        if (!graph::accepts(pattern, a, graph.send_of({a, send}))) continue;
        if (graph.clock({a, send})[reader] > taken.event.event) break;  // the message depends on the choice
        Forced other;
        other.schedule.matches[receive] = {ActorId{a}, graph.event({a, send}).request};
        for (const auto& [operation, answer] : chosen.schedule.answers) {
          if (!answer.completed.empty()) other.schedule.answers[operation] = answer;
        }
        const bool is_known = std::ranges::any_of(alternatives, [&](const Forced& known) {
          const auto match = known.schedule.matches.find(receive);
          return match != known.schedule.matches.end() && match->second.source.value == a;
        });
        if (!is_known) alternatives.push_back(std::move(other));
        break;  // only the first matching message of a channel
      }
    }
  }
}

// `orders` without the parts that contradict the decision.
Forced without(Forced orders, const Forced& decision) {
  for (const auto& [receive, send] : decision.schedule.matches) {
    orders.schedule.matches.erase(receive);
    std::erase_if(orders.schedule.matches, [&](const auto& match) { return match.second == send; });
  }
  for (const auto& [operation, answer] : decision.schedule.answers) orders.schedule.answers.erase(operation);
  return orders;
}

}  // namespace

Alternatives alternatives_of(const graph::Graph& graph, const std::vector<Taken>& taken) {
  Alternatives all;
  for (const Taken& choice : taken) {
    std::vector<Forced>& alternatives = all.emplace_back();
    for (std::size_t i = 0; i < choice.options.size(); ++i)
      if (i != choice.chosen && choice.options[i].starved.empty()) alternatives.push_back(choice.options[i]);
    add_late_messages(graph, choice, alternatives);
    if (alternatives.size() > alternatives_max) alternatives.resize(alternatives_max);
  }
  return all;
}

std::optional<CriticalChoice> find_critical(Runs& runs, const std::vector<Taken>& taken,
                                            const Alternatives& alternatives) {
  for (std::size_t i = taken.size(); i-- > 0 && !runs.is_over();) {
    Forced before, after;
    for (std::size_t j = 0; j < i; ++j) before.add(taken[j].options[taken[j].chosen]);
    for (std::size_t j = i + 1; j < taken.size(); ++j) after.add(taken[j].options[taken[j].chosen]);
    for (const Forced& instead : alternatives[i]) {
      Forced must = before;
      must.add(instead);
      for (const Forced& may : {without(after, must), Forced()}) {
        const Follower::Orders orders{must, may, false};
        const ExecutionResult result = runs.follow(orders);
        if (result.ends_well && !result.has_impossible) return CriticalChoice{i, instead, orders};
        if (after.is_empty()) break;  // the second attempt would be equal
      }
    }
  }
  return std::nullopt;
}

}  // namespace rehearse::mc::counterexample
