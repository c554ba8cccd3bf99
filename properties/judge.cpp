// SPDX-License-Identifier: MIT
//
// All judges in their order.
#include "properties/judge.hpp"

#include <algorithm>
#include <memory>

#include "properties/cancelled_sends.hpp"
#include "properties/process_failures.hpp"
#include "properties/words.hpp"
#include "simcore/provisional.hpp"
#include "smpi/failure_plan.hpp"
#include "smpi/window_model.hpp"

namespace rehearse::properties {

namespace {

template <class T>
void append(std::vector<T>& items, std::vector<T> more) {
  std::move(more.begin(), more.end(), std::back_inserter(items));
}

bool has_state(const Outcome& outcome, ActorOutcome::State state) {
  return std::any_of(outcome.actors.begin(), outcome.actors.end(),
                     [state](const ActorOutcome& actor) { return actor.state == state; });
}

}  // namespace

namespace {

// Whether a thread could have continued while its actor waited.
bool has_overlapping_threads(const Outcome& outcome) {
  return std::ranges::any_of(outcome.reports, [](const auto& entry) { return entry.second.id == threads_overlap; });
}

// `is_possible`: what the actors wait for can be judged.
std::vector<Finding> judge_actors(const Outcome& outcome, const Describe& describe, bool is_possible) {
  std::vector<Finding> findings = judge_failures(outcome, describe);
  if (is_possible && !has_state(outcome, ActorOutcome::State::failed)) {
    std::vector<Finding> disagreements = judge_disagreements(outcome, describe);
    const bool is_explained = !disagreements.empty();
    append(findings, std::move(disagreements));
    if (!is_explained) append(findings, judge_provisional_reports(outcome, describe));
    if (!is_explained) append(findings, judge_deadlocks(outcome, describe));
    append(findings, judge_unwanted_sends(outcome, describe));
    // A failed rank receives nothing, and nobody receives what was sent in a revoked communicator.
    if (!has_process_failure(outcome)) append(findings, judge_lost_messages(outcome, describe));
  }
  append(findings, judge_early_messages(outcome, describe));
  append(findings, judge_reports(outcome, describe));
  return judge_cancelled_sends(outcome, std::move(findings));
}

// Whether both have the same two places of code.
bool is_same_race(const Finding& a, const Finding& b) {
  const auto is_same = [](const Location& one, const Location& other) {
    return one.actor == other.actor && one.call == other.call && one.file == other.file && one.line == other.line;
  };
  return a.id == b.id && a.locations.size() >= 2 && b.locations.size() >= 2 &&
         std::is_permutation(a.locations.begin(), a.locations.begin() + 2, b.locations.begin(), is_same);
}

constexpr const char* may_poll_by_loads =
    "a loop that polls a window, and may load what others store there (--check-memory shows loads)";

// Of the exploration.
Finding left_out(ActorId rank, std::string what) {
  Finding limit;
  limit.id = outcomes_left_out;
  limit.severity = Severity::note;
  limit.actors = {rank};
  limit.message = std::move(what);
  return limit;
}

// Ranks that poll a window without success: limits of explorations.
std::vector<Finding> judge_endless_polls(const Outcome& outcome) {
  std::vector<Finding> findings;
  for (std::uint32_t i = 0; i < outcome.actors.size(); ++i) {
    const ActorOutcome& actor = outcome.actors[i];
    if (actor.state != ActorOutcome::State::failed || actor.id != smpi::endless_poll) continue;
    findings.push_back(left_out({i}, actor.what));
  }
  return findings;
}

// What ranks, of which some wait forever, have not heard of each other. Without races that a rank reports.
smpi::UnheardAccesses find_unheard(const Outcome& outcome, const Describe& describe) {
  if (!has_state(outcome, ActorOutcome::State::blocked) || has_state(outcome, ActorOutcome::State::failed)) return {};
  std::vector<std::shared_ptr<const SharedKnowledge>> known;
  for (std::uint32_t i = 0; i < outcome.actors.size(); ++i) known.push_back(describe({i}).knowledge);
  smpi::UnheardAccesses unheard = smpi::unheard_accesses(known);
  std::erase_if(unheard.races, [&](const Finding& race) {
    return std::ranges::any_of(outcome.reports, [&](const auto& entry) { return is_same_race(race, entry.second); });
  });
  return unheard;
}

// As judge_actors(), without the objects of windows. An execution with a wrong guess tells nothing about who waits or
// polls forever. A rank may poll for an access that races with the poll, or that its loads find.
std::vector<Finding> judge_ranks(const Outcome& outcome, const Describe& describe, bool is_possible) {
  if (!smpi::has_window_objects(outcome)) return judge_actors(outcome, describe, is_possible);
  const bool is_guess = smpi::waits_for_a_guess(outcome);
  Outcome ranks = outcome;
  smpi::hide_window_objects(ranks);
  if (is_guess) return judge_actors(ranks, describe, false);
  smpi::UnheardAccesses unheard = is_possible ? find_unheard(ranks, describe) : smpi::UnheardAccesses();
  const bool polls = std::ranges::any_of(ranks.actors, &ActorOutcome::polling);
  std::vector<Finding> limits = judge_endless_polls(ranks);
  for (const ActorId rank : unheard.may_load)
    if (ranks.actors[rank.value].polling) limits.push_back(left_out(rank, may_poll_by_loads));
  const bool is_clear = limits.empty() && (unheard.races.empty() || !polls);
  std::vector<Finding> findings = judge_actors(ranks, describe, is_possible && is_clear);
  append(findings, std::move(unheard.races));
  append(findings, std::move(limits));
  return findings;
}

}  // namespace

namespace {

std::vector<Finding> judge_all(const Outcome& outcome, const Describe& describe, bool is_possible) {
  if (!expects_failures(outcome)) return judge_ranks(outcome, describe, is_possible && !has_outage(outcome));
  std::vector<Finding> findings = judge_ranks(without_notices(outcome), describe, is_possible && !has_outage(outcome));
  name_failed_ranks(outcome, findings);
  return findings;
}

}  // namespace

std::vector<Finding> judge(const Outcome& outcome, const Describe& describe) {
  return judge_all(outcome, describe, !has_overlapping_threads(outcome));
}

std::vector<Finding> judge_part(const Outcome& outcome, const Describe& describe) {
  return judge_all(outcome, describe, false);
}

// Actors that run the same code report the same things: one finding names them all.
std::vector<Finding> judge_reports(const Outcome& outcome, const Describe&) {
  std::vector<Finding> findings;
  for (const auto& [actor, report] : outcome.reports) {
    if (report.id == outcomes_left_out) continue;  // concerns the exploration, not the program
    const bool is_of_others = report.id == unwanted_send || report.id == threads_overlap ||
                              report.id == smpi::chosen_failure || is_about_cancelling(report.id.text());
    if (is_of_others || is_provisional(report.id.text())) continue;  // other judges handle these
    Finding finding = report;
    if (finding.actors.empty()) finding.actors = {actor};
    const auto same = std::find_if(findings.begin(), findings.end(), [&](const Finding& other) {
      return other.id == finding.id && other.severity == finding.severity && other.message == finding.message;
    });
    if (same == findings.end()) {
      findings.push_back(std::move(finding));
      continue;
    }
    const bool is_named = std::find(same->actors.begin(), same->actors.end(), actor) != same->actors.end();
    if (!is_named) append(same->actors, finding.actors);
    if (!is_named) append(same->locations, finding.locations);
  }
  for (Finding& finding : findings) finding.message = ranks(finding.actors) + ": " + finding.message;
  return findings;
}

}  // namespace rehearse::properties
