// SPDX-License-Identifier: MIT
//
// Divides explorations.
#include "tests/support/parts.hpp"

#include <functional>
#include <list>
#include <memory>

#include "mc/reduction/receives_from.hpp"
#include "simcore/support/random.hpp"
#include "tests/support/litmus.hpp"

namespace rehearse::tests {

using namespace mc;
using mc::reduction::ReceivesFromExplorer;

namespace {

constexpr std::uint64_t history_bytes = 1 << 20;

std::string name_of(const graph::Graph& graph) {
  std::string name;
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
    for (const graph::Event& event : graph.actor(a).events)
      name += std::to_string(static_cast<int>(event.kind)) + "." + std::to_string(event.stamp) + "." +
              std::to_string(event.history.low) + " ";
  return name;
}

// Decides about divisions: asked after each execution, and before each event.
struct Divider {
  std::function<bool()> donates;
  std::function<bool()> is_left_between, is_left_within;  // between two executions; within one
};

Visits in_parts(const std::string& text, const Divider& divider) {
  Visits visits;
  reduction::Path everything;
  everything.is_done = false;
  std::list<reduction::Path> parts = {everything};
  while (!parts.empty()) {
    const std::unique_ptr<Program> program = make_litmus(text);
    history::History history(*program, history_bytes);
    ReceivesFromExplorer explorer(history, program->actor_count(), 1, [](const ReceivesFromExplorer&) { return true; });
    explorer.ask([&](const ReceivesFromExplorer&) { return !divider.is_left_within(); }, 1);
    explorer.load(parts.front());
    parts.pop_front();
    const bool is_over = explorer.run([&](const graph::Graph& graph) {
      visits.executions.push_back(name_of(graph));
      while (divider.donates()) {
        const auto donation = explorer.donate();
        if (!donation) break;
        parts.push_front(donation->path);
        ++visits.parts;
      }
      return !divider.is_left_between();
    });
    if (!is_over) {
      parts.push_front(explorer.remaining());
      ++visits.parts;
    }
    visits.events += explorer.events();
  }
  return visits;
}

}  // namespace

Visits in_one_part(const std::string& text) {
  const auto never = [] { return false; };
  return in_parts(text, {never, never, never});
}

Visits in_smallest_parts(const std::string& text) {
  const auto never = [] { return false; };
  return in_parts(text, {[] { return true; }, never, never});
}

Visits in_parts_by_chance(const std::string& text, std::uint64_t seed) {
  SplitMix chance(seed);
  const auto once_in = [&chance](std::uint64_t n) { return [&chance, n] { return chance.below(n) == 0; }; };
  return in_parts(text, {once_in(3), once_in(4), once_in(12)});
}

}  // namespace rehearse::tests
