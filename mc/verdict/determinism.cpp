// SPDX-License-Identifier: MIT
//
// Compares what nodes remember of deeds.
#include "mc/verdict/determinism.hpp"

#include <algorithm>

#include "mc/counterexample/ending.hpp"
#include "mc/verdict/examiner.hpp"

namespace rehearse::mc {

namespace {

// From the start on.
bool has_ended(const Graph& graph) {
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
    if (!std::holds_alternative<End>(graph.actor(a).node->operation)) return false;
  return true;
}

Finding finding_about(std::uint32_t actor, bool is_output) {
  Finding finding;
  finding.id = is_output ? "outcome.output" : "outcome.sends";
  finding.actors = {{actor}};
  return finding;
}

}  // namespace

std::vector<const Node*> Determinism::nodes_of(const Graph& graph, std::uint32_t actor) {
  std::vector<const Node*> nodes;
  for (const Node* node = graph.actor(actor).node; node != nullptr; node = node->parent) nodes.push_back(node);
  std::ranges::reverse(nodes);
  return nodes;
}

std::vector<Cause> Determinism::compare(const Graph& graph) {
  std::vector<Cause> causes;
  if (!is_asked_for() || !has_ended(graph)) return causes;
  if (!first_) {
    first_.emplace(graph.actor_count());
    for (std::uint32_t a = 0; a < graph.actor_count(); ++a)
      for (const Node* node : nodes_of(graph, a)) (*first_)[a].deeds.push_back(node->deeds);
    first_schedule_ = to_text(make_schedule(graph, as_it_is(graph)));
    return causes;
  }
  for (std::uint32_t a = 0; a < graph.actor_count(); ++a) {
    const Deeds& mine = graph.actor(a).node->deeds;
    const Deeds& theirs = (*first_)[a].deeds.back();
    if (of_output_ && mine.output != theirs.output) causes.push_back(difference(graph, a, &Deeds::output));
    if (of_sends_ && mine.sends != theirs.sends) causes.push_back(difference(graph, a, &Deeds::sends));
  }
  return causes;
}

// Told where it is first seen: at the operation before which something else was written, or at the send.
Cause Determinism::difference(const Graph& graph, std::uint32_t actor, std::uint64_t Deeds::* kind) {
  const bool is_output = kind == &Deeds::output;
  const std::vector<const Node*> nodes = nodes_of(graph, actor);
  const std::vector<Deeds>& theirs = (*first_)[actor].deeds;
  std::size_t at = 0;
  while (at + 1 < nodes.size() && at < theirs.size() && nodes[at]->deeds.*kind == theirs[at].*kind) ++at;
  const Node* node = nodes[at];
  Cause cause;
  const std::uint64_t words[] = {0xde7e1219, actor, is_output};
  cause.shape = hash_bytes(words, sizeof words);
  Finding& finding = cause.findings.emplace_back(finding_about(actor, is_output));
  history_.visit(node);
  const CallDescription where = program_.describe({actor});
  Location& location = finding.locations.emplace_back();
  location.actor = {actor};
  location.call = where.call;
  if (!where.frames.empty()) {
    location.file = where.frames[0].file;
    location.line = where.frames[0].line;
    location.function = where.frames[0].function;
  }
  location.what = is_output ? "what it had written by then differs" : "this send differs";
  finding.message = "actor " + std::to_string(actor) +
                    (is_output ? " writes something else" : " sends something else") +
                    " than in the first execution, whose schedule is " +
                    (first_schedule_.empty() ? "empty" : "'" + first_schedule_ + "'");
  if (!location.call.empty())
    finding.message += "; first seen in " + location.call +
                       (location.file.empty() ? "" : " at " + location.file + ":" + std::to_string(location.line));
  finding.schedule = to_text(make_schedule(graph, as_it_is(graph)));
  return cause;
}

}  // namespace rehearse::mc
