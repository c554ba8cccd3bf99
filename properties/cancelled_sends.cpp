// SPDX-License-Identifier: MIT
//
// The cancellation of a send either succeeds, or the message is received (MPI 4.1, 3.8.4). Two kinds of explored
// executions are illegal and dropped: a withheld send is never cancelled, or a cancellation fails and the receiver ends
// without the message. Three cases are unknown and reported as limits: the receiver stops early, so it is open whether
// it would have received the message; later messages may have overtaken a withheld one before its cancellation; a probe
// reported the message, so it is open whether it could still be cancelled.
#include "properties/cancelled_sends.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "properties/words.hpp"
#include "simcore/provisional.hpp"

namespace rehearse::properties {

namespace {

using Report = std::pair<ActorId, Finding>;

// The numbers in the report, behind its id.
std::vector<std::uint64_t> numbers_of(const Report& report) {
  std::vector<std::uint64_t> numbers;
  const std::string& id = report.second.id.text();
  for (std::size_t i = id.find_first_of("-0123456789"); i < id.size(); i = id.find(' ', i), i += i < id.size())
    numbers.push_back(std::strtoull(id.c_str() + i, nullptr, 10));
  return numbers;
}

bool is(const Report& report, std::string_view what) { return report.second.id.text().starts_with(what); }

std::ptrdiff_t count(const Outcome& outcome, ActorId actor, std::string_view what) {
  return std::ranges::count_if(outcome.reports,
                               [&](const Report& report) { return report.first == actor && is(report, what); });
}

struct Kept {
  const Report* report;
  RequestId request;
  ActorId receiver;
  std::uint64_t tag;
};

const Report* find_report(const Outcome& outcome, const Kept& kept, std::string_view what) {
  for (const Report& report : outcome.reports) {
    if (report.first != kept.receiver || !is(report, what)) continue;
    const std::vector<std::uint64_t> numbers = numbers_of(report);
    if (numbers.size() == 2 && numbers[0] == kept.report->first.value && numbers[1] == kept.tag) return &report;
  }
  return nullptr;
}

bool is_pending(const Outcome& outcome, const Kept& kept) {
  return std::ranges::any_of(outcome.pending, [&](const PendingRequest& pending) {
    return pending.kind == PendingRequest::Kind::send && pending.actor == kept.report->first &&
           pending.request == kept.request;
  });
}

Finding note_of(const Outcome& outcome, const Kept& kept) {
  const Finding& cancel = kept.report->second;
  Finding note;
  note.id = "message.cancelled";
  note.severity = Severity::note;
  note.actors = {kept.report->first, kept.receiver};
  note.locations = cancel.locations;
  for (Location& location : note.locations) location.what = "cancels it here";
  note.message = rank(kept.report->first) + " cancels a send";
  if (!cancel.locations.empty()) note.message += " (" + call_and_line(cancel.locations.front()) + ")";
  note.message += " whose message " + rank(kept.receiver) + " may receive";
  if (const Report* received = find_report(outcome, kept, received_send);
      received != nullptr && !received->second.locations.empty()) {
    note.locations.push_back(received->second.locations.front());
    note.locations.back().what = "may receive it here";
    note.message += " (" + call_and_line(note.locations.back()) + ")";
  }
  note.message += ": both outcomes are possible";
  return note;
}

Finding limit_of(const Report& report, const std::string& what) {
  Finding limit;
  limit.id = outcomes_left_out;
  limit.severity = Severity::note;
  limit.actors = {report.first};
  limit.message = rank(report.first) + " cancels a send " + what;
  return limit;
}

bool has_error(const std::vector<Finding>& findings) {
  return std::ranges::any_of(findings, [](const Finding& finding) { return finding.severity != Severity::note; });
}

}  // namespace

std::vector<Finding> judge_cancelled_sends(const Outcome& outcome, std::vector<Finding> findings) {
  std::vector<Finding> limits, notes;
  bool is_none = false;
  const Report* doubtful = nullptr;
  const char* doubt = "";
  for (const Report& report : outcome.reports) {
    if (!is_about_cancelling(report.second.id.text())) continue;
    const ActorId actor = report.first;
    if (is(report, withheld_send) && count(outcome, actor, withheld_send) >
                                         count(outcome, actor, cancelled_send) + count(outcome, actor, overtaken_send))
      is_none = true;
    if (is(report, overtaken_send)) {
      doubtful = &report;
      doubt = "that later messages may have overtaken";
    }
    if (is(report, long_tested_send)) limits.push_back(limit_of(report, "after testing it many times"));
    if (!is(report, kept_send)) continue;
    const std::vector<std::uint64_t> numbers = numbers_of(report);
    const Kept kept{&report, RequestId{static_cast<std::uint32_t>(numbers.at(0))},
                    ActorId{static_cast<std::uint32_t>(numbers.at(1))}, numbers.at(2)};
    const bool is_probed = find_report(outcome, kept, probed_send) != nullptr;
    if (is_probed) limits.push_back(limit_of(report, "whose message a probe may have seen"));
    if (!is_pending(outcome, kept)) {
      notes.push_back(note_of(outcome, kept));
      continue;
    }
    if (outcome.actors[kept.receiver.value].state == ActorOutcome::State::ended && !is_probed) is_none = true;
    doubtful = &report;
    doubt = "whose receiver stops before it is clear whether the message is received";
  }
  if (is_none) return limits;  // these concern other sends
  if (doubtful != nullptr && has_error(findings)) {
    findings.clear();
    limits.push_back(limit_of(*doubtful, doubt));
  }
  for (std::vector<Finding>* more : {&limits, &notes})
    std::move(more->begin(), more->end(), std::back_inserter(findings));
  return findings;
}

}  // namespace rehearse::properties
