// SPDX-License-Identifier: MIT
//
// message.not_ready: a message in ready mode that may arrive before its receive is posted. One finding for all messages
// of one source, destination and place.
#include <algorithm>

#include "properties/judge.hpp"
#include "properties/words.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::properties {

std::vector<Finding> judge_early_messages(const Outcome& outcome, const Describe&) {
  std::vector<Finding> findings;
  for (const EarlyMessage& early : outcome.early) {
    const Frame& at = early.started_at;
    const std::string what =
        fmt::format("a message in ready mode with tag {} to {}", early.tag, rank(early.destination));
    Finding finding;
    finding.id = "message.not_ready";
    finding.actors = {early.source, early.destination};
    finding.locations = {{early.source, std::string(early.origin.call), at.file, at.line, at.function, "sent " + what}};
    const std::string where = finding.locations.front().call.empty() ? "" : call_and_line(finding.locations.front());
    finding.message = rank(early.source) + " sent " + what + ", which may arrive before a receive is posted for it" +
                      (where.empty() ? "" : "; sent by " + where);
    const bool known = std::any_of(findings.begin(), findings.end(),
                                   [&](const Finding& other) { return other.message == finding.message; });
    if (!known) findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace rehearse::properties
