// SPDX-License-Identifier: MIT
//
// See process_failures.hpp.
#include "properties/process_failures.hpp"

#include <algorithm>
#include <utility>

#include "properties/words.hpp"
#include "simcore/engine.hpp"
#include "smpi/failure_plan.hpp"

namespace rehearse::properties {
namespace {

using Kind = PendingRequest::Kind;

bool is_notice(const PendingRequest& pending) {
  if (pending.kind == Kind::send) return is_notice_tag(pending.tag);
  return pending.kind == Kind::receive && pending.pattern.tag && smpi::is_background_tag(*pending.pattern.tag);
}

bool is_failure(const std::pair<ActorId, Finding>& report) {
  return report.second.id == smpi::process_failure || report.second.id == smpi::chosen_failure;
}

}  // namespace

bool expects_failures(const Outcome& outcome) {
  return has_process_failure(outcome) || std::ranges::any_of(outcome.pending, is_notice);
}

bool has_process_failure(const Outcome& outcome) { return std::ranges::any_of(outcome.reports, is_failure); }

bool has_failed(const Outcome& outcome, ActorId rank) {
  return std::ranges::any_of(outcome.reports,
                             [&](const auto& report) { return report.first == rank && is_failure(report); });
}

bool has_outage(const Outcome& outcome) {
  return std::ranges::any_of(outcome.reports, [](const auto& report) { return report.second.id == link_outage; });
}

Outcome without_notices(Outcome outcome) {
  for (const PendingRequest& pending : outcome.pending) {
    if (!is_notice(pending) || pending.kind != Kind::receive) continue;
    ActorOutcome& actor = outcome.actors[pending.actor.value];
    std::erase(actor.waits_for, pending.request);
    if (actor.waits_for.size() == 1 && actor.probes.empty()) actor.any_suffices = false;
  }
  std::erase_if(outcome.pending, is_notice);
  return outcome;
}

void name_failed_ranks(const Outcome& outcome, std::vector<Finding>& findings) {
  std::string text;
  std::vector<Location> places;
  for (const auto& report : outcome.reports) {
    if (!is_failure(report) || report.second.locations.empty()) continue;
    Location& place = places.emplace_back(report.second.locations.front());
    place.what = "fails";
    const std::string where = place.call.empty() ? "" : " in " + call_and_line(place);
    text += "; " + rank(report.first) + " had failed" + where;
  }
  for (Finding& finding : findings) {
    if (finding.severity != Severity::error || places.empty()) continue;
    finding.message += text;
    finding.locations.insert(finding.locations.end(), places.begin(), places.end());
  }
}

}  // namespace rehearse::properties
