// SPDX-License-Identifier: MIT
//
// Reports that their actor may withdraw later. They hold if another actor waits forever for the reporting one.
#include <algorithm>

#include "properties/judge.hpp"
#include "properties/wait_graph.hpp"
#include "properties/words.hpp"
#include "simcore/provisional.hpp"

namespace rehearse::properties {

namespace {

bool is_withdrawn(const Outcome& outcome, ActorId actor, std::string_view id, const std::string& message) {
  return std::ranges::any_of(outcome.reports, [&](const auto& report) {
    return report.first == actor && report.second.id.text().starts_with(withdrawn_mark) &&
           report.second.id.text().ends_with(id) && report.second.message == message;
  });
}

// The actors that wait forever for the reporting actor. If the report names actors, only these count.
std::vector<ActorId> waiting_for(const Outcome& outcome, const WaitGraph& graph, const Finding& report) {
  const ActorId actor = report.actors.front();
  const auto is_named = [&](ActorId other) {
    return report.actors.size() == 1 ||
           std::find(report.actors.begin() + 1, report.actors.end(), other) != report.actors.end();
  };
  std::vector<ActorId> waiting;
  for (std::uint32_t i = 0; i < outcome.actors.size(); ++i) {
    const ActorId other{i};
    if (other == actor || !graph.is_blocked(other) || !is_named(other)) continue;
    const std::vector<ActorId>& providers = graph.reason(other).providers;
    if (std::ranges::find(providers, actor) != providers.end()) waiting.push_back(other);
  }
  return waiting;
}

}  // namespace

std::vector<Finding> judge_provisional_reports(const Outcome& outcome, const Describe&) {
  std::vector<Finding> findings;
  const WaitGraph graph(outcome);
  for (const auto& [actor, report] : outcome.reports) {
    if (!report.id.text().starts_with(provisional_mark)) continue;
    const std::string id = report.id.text().substr(provisional_mark.size());
    if (is_withdrawn(outcome, actor, id, report.message)) continue;
    const std::vector<ActorId> waiting = waiting_for(outcome, graph, report);
    if (waiting.empty()) continue;
    Finding finding = report;
    finding.id = id;
    finding.severity = Severity::error;
    finding.actors = {actor};
    finding.message = rank(actor) + ": " + report.message + "; " + many_ranks(waiting) +
                      (waiting.size() == 1 ? " waits" : " wait") + " for " + rank(actor) + " forever";
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace rehearse::properties
