// SPDX-License-Identifier: MIT
//
// The rules by which a verdict is made.
#include "mc/verdict/ledger.hpp"

#include <algorithm>

#include "simcore/support/assert.hpp"

namespace rehearse::mc {

namespace {

// Whether a reader takes them for one: the same at the same places.
bool is_same(const Finding& a, const Finding& b) {
  const auto same_place = [](const Location& x, const Location& y) {
    return x.actor == y.actor && x.call == y.call && x.file == y.file && x.line == y.line;
  };
  const bool told_by_places = !a.locations.empty() || !b.locations.empty();
  return a.id == b.id && a.actors == b.actors && std::ranges::equal(a.locations, b.locations, same_place) &&
         (told_by_places || a.message == b.message);
}

}  // namespace

void Limits::join(const Limits& more) {
  refusals_left_out = refusals_left_out || more.refusals_left_out;
  orders_left_out = orders_left_out || more.orders_left_out;
  for (const std::string& what : more.unsupported)
    if (std::find(unsupported.begin(), unsupported.end(), what) == unsupported.end()) unsupported.push_back(what);
}

void Ledger::count(const Execution& execution) {
  const auto add = [this](const Execution::Ending& ending, std::uint64_t fresh) {
    if ((fresh & ClassSet::counted) == 0) return;
    ++verdict_.executions;
    verdict_.blocked += !ending.complete;
  };
  if (execution.decided) {
    const bool one = execution.endings.size() == 1 && execution.endings[0].observed == *execution.decided;
    const std::uint64_t fresh =
        classes_.mark(*execution.decided, ClassSet::explored | (one ? ClassSet::counted : 0));
    verdict_.duplicates += (fresh & ClassSet::explored) == 0;
    if (one) return add(execution.endings[0], fresh);
  }
  for (const Execution::Ending& ending : execution.endings)
    add(ending, classes_.mark(ending.observed, ClassSet::counted));
}

bool Ledger::take(Execution& execution) {
  count(execution);
  auto judged = execution.causes.begin();
  for (const Execution::Sight& sight : execution.sights) {
    const auto [found, added] = by_shape_.emplace(sight.shape, known_.size());
    if (judged != execution.causes.end() && judged->shape == sight.shape) {
      if (added) {
        known_.push_back({std::move(*judged), std::vector<bool>(options_.policies.size())});
        const Cause& cause = known_.back().cause;
        for (const std::string& reason : cause.reasons) stop_once(reason);
        for (const Finding& finding : cause.findings)
          if (finding.severity == Severity::error && !first_error_) first_error_ = verdict_.executions;
      }
      ++judged;
    }
    REHEARSE_ASSERT(found->second < known_.size(), "a cause that nobody judged");
    known_[found->second].under[sight.policy] = true;
  }
  return goes_on();
}

bool Ledger::goes_on() {
  if (verdict_.executions >= options_.max_executions)
    return stop("stopped after " + std::to_string(options_.max_executions) + " executions (--max-executions)");
  if (!options_.all_findings && first_error_ && verdict_.executions >= *first_error_ + options_.grace_executions)
    return stop("stopped after an error (--all goes on)");
  return true;
}

bool Ledger::stop(std::string reason) {
  verdict_.exhaustive = false;
  verdict_.reasons.push_back(std::move(reason));
  return false;
}

void Ledger::stop_once(const std::string& reason) {
  if (std::find(verdict_.reasons.begin(), verdict_.reasons.end(), reason) == verdict_.reasons.end()) stop(reason);
}

// What happens without synchronising collectives need not be told again for them, if it looks a little different.
bool Ledger::only_synchronising(const Known& known) const {
  for (std::size_t p = 0; p < known.under.size(); ++p)
    if (known.under[p] && !options_.policies[p].synchronising) return false;
  return true;
}

// The policies of all findings that are the same count; the first one is that of the schedule.
void Ledger::finish(const Known& known) {
  for (const Finding& finding : known.cause.findings) {
    std::vector<std::string> names = {to_text(options_.policies[known.cause.judged])};
    for (std::size_t p = 0; p < known.under.size(); ++p)
      if (known.under[p]) names.push_back(to_text(options_.policies[p]));
    const auto same = std::find_if(verdict_.findings.begin(), verdict_.findings.end(), [&](const Finding& f) {
      return is_same(f, finding) || (only_synchronising(known) && f.id == finding.id && f.actors == finding.actors);
    });
    Finding& kept = same == verdict_.findings.end() ? verdict_.findings.emplace_back(finding) : *same;
    for (const std::string& name : names)
      if (std::find(kept.policies.begin(), kept.policies.end(), name) == kept.policies.end())
        kept.policies.push_back(name);
  }
}

Verdict Ledger::finish() {
  if (limits_.refusals_left_out)
    verdict_.assumptions.push_back("a poll in a loop is told no at most " + std::to_string(options_.polls) + " time" +
                                   (options_.polls == 1 ? "" : "s") + " in a row (--polls)");
  if (limits_.orders_left_out)
    verdict_.assumptions.push_back("actors touch plain variables that they share in an order which mutexes or other "
                                   "objects of theirs force");
  for (const std::string& what : limits_.unsupported)
    stop_once(what + ": not all of its outcomes are explored yet");
  for (const Known& known : known_) finish(known);
  return std::move(verdict_);
}

}  // namespace rehearse::mc
