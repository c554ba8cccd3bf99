// SPDX-License-Identifier: MIT
//
// See needless_barriers.hpp.
#include "app/check/needless_barriers.hpp"

#include <algorithm>
#include <cstdlib>

#include "app/isolated.hpp"
#include "app/launch.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr double barrier_patience = 10;  // for loading the program
constexpr std::size_t most_barriers = 50;

// The number after "ranks 0 and 1: ".
std::uint64_t place_in(const std::string& message) {
  const std::size_t colon = message.find(": ");
  return std::strtoull(message.c_str() + (colon == std::string::npos ? 0 : colon + 2), nullptr, 10);
}

constexpr const char *same = "same", *other = "other";

// `same` or `other`: the executions without the barrier; empty: unknown.
std::string explore_without(std::uint64_t place, const Job& of, const mc::ExploreOptions& given, const Judge& judge,
                            const mc::Verdict& with_all, double seconds) {
  auto program = launch_to_explore(of, {.reports = false, .skipped_place = place});
  if (!program) return "";
  mc::ExploreOptions how = given;
  how.semantics.same_output = how.semantics.same_sends = how.semantics.same_results = false;
  how.semantics.find_races = false;
  how.strategy = {};
  how.bounds.all_findings = false;
  how.bounds.max_executions = with_all.executions + 1;
  how.bounds.max_seconds = seconds;
  how.hooks.report_state = {};
  limit_steps_of(*program.value(), how);
  const mc::Verdict verdict = mc::explore(*program.value(), how, judge);
  const bool is_wrong =
      std::ranges::any_of(verdict.findings, [](const Finding& finding) { return finding.severity == Severity::error; });
  if (is_wrong || verdict.executions > with_all.executions) return other;
  if (!verdict.exhaustive) return "";
  return verdict.executions == with_all.executions && verdict.blocked == with_all.blocked ? same : other;
}

std::string barriers_of(std::size_t number) {
  return fmt::format("{} {}", number, number == 1 ? "place with a barrier" : "places with barriers");
}

Finding hint_of(const Finding& reported, const mc::Verdict& verdict) {
  Finding hint = reported;
  hint.id = finding_ids::hint_barrier;
  hint.severity = Severity::note;
  const Location* at = reported.locations.empty() ? nullptr : &reported.locations.front();
  const std::string executions = verdict.executions == 1 ? "execution is"
                                                         : with_commas(verdict.executions) + " executions are";
  hint.message = fmt::format("no execution needs the barrier{}: without it the same {} possible, and nothing goes "
                             "wrong; it may be there for the order in which files are written, or for what a clock "
                             "measures",
                             at == nullptr ? "" : fmt::format(" at {}:{}", at->file, at->line), executions);
  for (Location& place : hint.locations) place.what = "waits here for all others";
  return hint;
}

}  // namespace

BarriersSeen take_barriers(std::vector<Finding>& findings) {
  BarriersSeen seen;
  for (Finding& finding : findings) {
    if (finding.id == smpi::BarrierSearch::output_reported)
      seen.writers.insert(seen.writers.end(), finding.actors.begin(), finding.actors.end());
    if (finding.id != smpi::BarrierSearch::place_reported) continue;
    const std::uint64_t place = place_in(finding.message);
    const auto known = std::ranges::find(seen.barriers, place, &BarriersSeen::Barrier::place);
    if (known == seen.barriers.end()) seen.barriers.push_back({place, finding});
  }
  std::ranges::sort(seen.writers);
  seen.writers.erase(std::unique(seen.writers.begin(), seen.writers.end()), seen.writers.end());
  std::erase_if(findings, [](const Finding& finding) {
    return finding.id == smpi::BarrierSearch::output_reported || finding.id == smpi::BarrierSearch::place_reported;
  });
  return seen;
}

BarrierHints needless_barriers(const Job& program, const mc::ExploreOptions& how, const Judge& judge,
                               const mc::Verdict& verdict, const BarriersSeen& seen, double seconds) {
  BarrierHints hints;
  if (seen.writers.size() > 1) {
    if (!seen.barriers.empty())
      hints.left_out = fmt::format("{}: not tested, because {} may determine the order in which {} ranks write",
                                   barriers_of(seen.barriers.size()), seen.barriers.size() == 1 ? "it" : "they",
                                   seen.writers.size());
    return hints;
  }
  std::size_t unknown = seen.barriers.size() - std::min(seen.barriers.size(), most_barriers);
  for (std::size_t i = 0; i < seen.barriers.size() && i < most_barriers; ++i) {
    const auto& [place, reported] = seen.barriers[i];
    const auto work = [&, place = place] { return explore_without(place, program, how, judge, verdict, seconds); };
    const auto answer = text_from_isolated(work, seconds + barrier_patience);
    if (answer == same) hints.hints.push_back(hint_of(reported, verdict));
    if (answer != same && answer != other) ++unknown;
  }
  if (unknown > 0)
    hints.left_out = fmt::format("{}: whether {} needed was not found out ({} are tried, each for about {} s)",
                                 barriers_of(unknown), unknown == 1 ? "it is" : "they are", most_barriers,
                                 static_cast<int>(seconds));
  return hints;
}

}  // namespace rehearse::app
