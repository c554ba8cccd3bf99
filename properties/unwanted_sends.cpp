// SPDX-License-Identifier: MIT
//
// A cancelled send completes immediately, and its message can still be received (smpi/request/cancel.cpp). If it is
// received, the execution shows only one of the two legal outcomes, so this is reported as a limit.
#include "properties/unwanted_sends.hpp"

#include <algorithm>
#include <string>

#include "properties/judge.hpp"
#include "properties/words.hpp"
#include "simcore/provisional.hpp"

namespace rehearse::properties {

namespace {

bool is_about(const std::pair<ActorId, Finding>& report, const PendingRequest& send) {
  return report.second.id == unwanted_send && report.first == send.actor &&
         report.second.message == std::to_string(send.request.value);
}

}  // namespace

bool is_unwanted(const Outcome& outcome, const PendingRequest& send) {
  return std::ranges::any_of(outcome.reports, [&](const auto& report) { return is_about(report, send); });
}

std::vector<Finding> judge_unwanted_sends(const Outcome& outcome, const Describe&) {
  std::vector<Finding> findings;
  for (const auto& report : outcome.reports) {
    if (report.second.id != unwanted_send) continue;
    const bool is_pending = std::ranges::any_of(outcome.pending, [&](const PendingRequest& pending) {
      return pending.kind == PendingRequest::Kind::send && is_about(report, pending);
    });
    if (is_pending) continue;
    Finding& limit = findings.emplace_back();
    limit.id = outcomes_left_out;
    limit.severity = Severity::note;
    limit.actors = {report.first};
    limit.message = rank(report.first) + " cancels a send";
    if (!report.second.locations.empty()) limit.message += " (" + call_and_line(report.second.locations.front()) + ")";
    limit.message += " whose message is received here; the outcome in which the cancellation succeeds is not explored";
  }
  return findings;
}

}  // namespace rehearse::properties
