// SPDX-License-Identifier: MIT
//
// Counting, bounds, and the merging of findings.
#include "mc/verdict/ledger.hpp"

#include <algorithm>

#include "mc/records/records.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::mc::verdict {

namespace {

// Whether the findings look the same to a reader: same kind, same actors, same places.
bool is_same(const Finding& a, const Finding& b) {
  const auto same_place = [](const Location& x, const Location& y) {
    return x.actor == y.actor && x.call == y.call && x.file == y.file && x.line == y.line;
  };
  const bool told_by_places = !a.locations.empty() || !b.locations.empty();
  return a.id == b.id && a.actors == b.actors && std::ranges::equal(a.locations, b.locations, same_place) &&
         (told_by_places || a.message == b.message);
}

}  // namespace

void Ledger::count(const Execution& execution) {
  const auto add = [this](const Execution::Ending& ending, std::uint64_t fresh) {
    if ((fresh & ClassSet::counted) == 0) return;
    ++verdict_.executions;
    verdict_.blocked += !ending.complete;
    verdict_.fingerprint += ending.observed.high;
    if (ending.tag) prices_.add(*ending.tag);
  };
  if (execution.decided) {
    const bool one = execution.endings.size() == 1 && execution.endings[0].observed == *execution.decided;
    const std::uint64_t fresh = classes_.mark(*execution.decided, ClassSet::explored | (one ? ClassSet::counted : 0));
    verdict_.duplicates += (fresh & ClassSet::explored) == 0;
    if (one) return add(execution.endings[0], fresh);
  }
  for (const Execution::Ending& ending : execution.endings)
    add(ending, classes_.mark(ending.observed, ClassSet::counted));
}

void Ledger::expect(const Execution& execution) const {
  if (execution.decided) return classes_.expect(*execution.decided);
  for (const Execution::Ending& ending : execution.endings) classes_.expect(ending.observed);
}

void Ledger::take(std::vector<reduction::Race>& races) {
  for (reduction::Race& race : races)
    if (std::ranges::find(races_, race.place, &reduction::Race::place) == races_.end())
      races_.push_back(std::move(race));
}

bool Ledger::take(Execution& execution) {
  count(execution);
  if (execution.branching) branchings_.add(*execution.branching);
  take(execution.races);
  auto judged = execution.causes.begin();
  for (const Execution::RecordedEnd& recorded : execution.recorded_ends) {
    const auto [found, added] = by_shape_.emplace(recorded.shape, known_.size());
    if (judged != execution.causes.end() && judged->shape == recorded.shape) {
      if (added) {
        known_.push_back({std::move(*judged), std::vector<bool>(options_.semantics.policies.size())});
        const Cause& cause = known_.back().cause;
        for (const std::string& reason : cause.reasons) leave_out(reason);
        limits_.executions_not_meant = limits_.executions_not_meant || cause.is_not_meant;
        for (const Finding& finding : cause.findings)
          if (finding.severity == Severity::error && !first_error_) first_error_ = verdict_.executions;
      }
      ++judged;
    }
    REHEARSE_ASSERT(found->second < known_.size(), "a cause that nobody judged");
    known_[found->second].under[recorded.policy] = true;
  }
  return goes_on();
}

bool Ledger::goes_on() {
  const Bounds& bounds = options_.bounds;
  if (verdict_.executions >= bounds.max_executions)
    return stop(fmt::format("stopped after {} executions (--max-executions)", bounds.max_executions));
  if (!bounds.all_findings && first_error_ && verdict_.executions >= *first_error_ + bounds.grace_executions)
    return stop("stopped after an error (--all continues)");
  return true;
}

bool Ledger::stop(std::string reason) {
  verdict_.exhaustive = false;
  stopped_by_.push_back(std::move(reason));
  return false;
}

void Ledger::leave_out(const std::string& reason) {
  verdict_.exhaustive = false;
  if (std::find(verdict_.reasons.begin(), verdict_.reasons.end(), reason) == verdict_.reasons.end())
    verdict_.reasons.push_back(reason);
}

// Whether the end occurs only under policies with synchronising collectives. Such a finding is merged with a similar
// one of other policies.
bool Ledger::only_synchronising(const Known& known) const {
  for (std::size_t p = 0; p < known.under.size(); ++p)
    if (known.under[p] && !options_.semantics.policies[p].synchronising) return false;
  return true;
}

// Merges equal findings and their policies. The first policy is that of the schedule.
void Ledger::finish(const Known& known) {
  for (const Finding& finding : known.cause.findings) {
    std::vector<std::string> names = {to_text(options_.semantics.policies[known.cause.judged])};
    for (std::size_t p = 0; p < known.under.size(); ++p)
      if (known.under[p]) names.push_back(to_text(options_.semantics.policies[p]));
    const auto same = std::find_if(verdict_.findings.begin(), verdict_.findings.end(), [&](const Finding& f) {
      return is_same(f, finding) || (only_synchronising(known) && f.id == finding.id && f.actors == finding.actors);
    });
    Finding& kept = same == verdict_.findings.end() ? verdict_.findings.emplace_back(finding) : *same;
    for (const std::string& name : names)
      if (std::find(kept.policies.begin(), kept.policies.end(), name) == kept.policies.end())
        kept.policies.push_back(name);
  }
}

void Ledger::save(records::Writer& to) const {
  for (const std::uint64_t number :
       {verdict_.executions, verdict_.blocked, verdict_.fingerprint, verdict_.duplicates, verdict_.operations,
        verdict_.application_runs, first_error_ ? *first_error_ + 1 : 0})
    to.number(number);
  put(to, verdict_.reasons);
  put(to, limits_);
  to.number(known_.size());
  for (const Known& known : known_) {
    put(to, known.cause);
    for (std::size_t p = 0; p < options_.semantics.policies.size(); ++p) to.number(known.under[p]);
  }
  put(to, races_);
  to.number(classes_.size());
  classes_.for_each([&to](const history::Hash128& kept) { to.plain(kept); });
  prices_.save(to);
  branchings_.save(to);
}

void Ledger::load(records::Reader& from) {
  std::uint64_t error = 0;
  for (std::uint64_t* number : {&verdict_.executions, &verdict_.blocked, &verdict_.fingerprint, &verdict_.duplicates,
                                &verdict_.operations, &verdict_.application_runs, &error})
    *number = from.number();
  if (error > 0) first_error_ = error - 1;
  get(from, verdict_.reasons);
  verdict_.exhaustive = verdict_.reasons.empty();
  get(from, limits_);
  const std::size_t causes = from.count();
  for (std::size_t i = 0; i < causes; ++i) {
    Known& known = known_.emplace_back();
    get(from, known.cause);
    for (std::size_t p = 0; p < options_.semantics.policies.size(); ++p) known.under.push_back(from.number() != 0);
    by_shape_.emplace(known.cause.shape, i);
    if (known.cause.judged >= options_.semantics.policies.size()) from.fail();
  }
  get(from, races_);
  const std::size_t classes = from.count();
  for (std::size_t i = 0; i < classes && from.is_good(); ++i) {
    const auto kept = from.plain<history::Hash128>();
    classes_.mark(kept, ClassSet::marks_of(kept));
  }
  prices_.load(from);
  branchings_.load(from);
  if (known_.size() != by_shape_.size() || classes_.size() != classes) from.fail();
}

Verdict Ledger::finish() {
  if (limits_.refusals_left_out)
    verdict_.assumptions.push_back(
        fmt::format("a poll in a loop gets the answer \"no\" at most {} time{} in a row (--polls)",
                    options_.semantics.polls, options_.semantics.polls == 1 ? "" : "s"));
  if (limits_.orders_left_out)
    verdict_.assumptions.push_back("actors touch plain variables that they share in an order which mutexes or other "
                                   "objects of theirs force");
  if (limits_.executions_not_meant)
    verdict_.assumptions.push_back("the assumptions of the program hold (rehearse_assume)");
  verdict_.assumptions.insert(verdict_.assumptions.end(), limits_.assumptions.begin(), limits_.assumptions.end());
  verdict_.reasons.insert(verdict_.reasons.end(), stopped_by_.begin(), stopped_by_.end());
  for (const std::string& what : limits_.unsupported) leave_out(what + ": not all of its outcomes are explored yet");
  for (const std::string& reason : limits_.strayed) leave_out(reason);
  for (const Known& known : known_) finish(known);
  verdict_.branchings = branchings_.most();
  verdict_.branched = branchings_.all();
  verdict_.costs = prices_.costs();
  return std::move(verdict_);
}

}  // namespace rehearse::mc::verdict
