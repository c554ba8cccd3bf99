// SPDX-License-Identifier: MIT
//
// See rank_states.hpp.
#include "app/check/rank_states.hpp"

#include <algorithm>
#include <chrono>

#include "app/check/exploration.hpp"
#include "app/check/lasso_words.hpp"
#include "app/check/surroundings.hpp"
#include "app/isolated.hpp"
#include "app/json.hpp"
#include "app/launch.hpp"
#include "simcore/state_image.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

// Of a search in the middle of an exploration.
constexpr double most_seconds_of_aside = 10, part_of_aside = 0.25;
constexpr std::uint64_t states_of_aside = 20'000;
constexpr double grace_seconds = 30;  // for a child to end after its time is up

// Whether the request reports findings of this kind.
bool is_reported(const CheckRequest& request, const char* id) {
  Finding finding;
  finding.id = id;
  finding.actors = {ActorId{0}};
  return !request.selection.reported({finding}).empty();
}

struct Task {
  const CheckRequest& request;
  bool finds_endless = false;
  std::uint64_t max_states = 0;
  StopToken stop;
};

Finding finding_of(const Task& task, const mc::FoundLasso& lasso) {
  Finding finding;
  finding.id = lasso.formula ? "property.ltl" : "progress.cycle";
  finding.message =
      lasso.formula ? fmt::format("the formula \"{}\" does not hold", task.request.states.formulas[*lasso.formula].text)
                    : "the ranks return to a state in which they were before, so they can go on like this forever";
  return finding;
}

Counterexample unpublished(const std::string& name, const std::string& formula) {
  Counterexample found;
  found.finding.id = "property.value";
  found.finding.actors = {ActorId{0}};
  found.finding.message = fmt::format("no rank publishes '{}' of the formula \"{}\" in any state", name, formula);
  return found;
}

void add(std::vector<std::string>& to, const std::vector<std::string>& from) {
  for (const std::string& each : from)
    if (std::ranges::find(to, each) == to.end()) to.push_back(each);
}

// The findings of another policy: a known one gets the policy.
void take(const Task& task, const Policy& policy, const mc::StateSearchResult& result, RankStates& all) {
  all.states += result.states;
  all.steps += result.steps;
  add(all.reasons, result.reasons);
  const auto take_one = [&](Counterexample found) {
    found.policy = policy;
    found.finding.policies = {policy};
    found.ranks = task.request.job.ranks;
    if (!task.request.selection.reported({found.finding}).empty()) all.lassos.push_back(std::move(found));
  };
  const auto known = [&](const std::string& begin) {
    return std::ranges::find_if(all.lassos,
                                [&](const Counterexample& each) { return each.finding.message.starts_with(begin); });
  };
  for (const mc::FoundLasso& lasso : result.found) {
    Counterexample found;
    found.finding = finding_of(task, lasso);
    if (const auto same = known(found.finding.message); same != all.lassos.end()) {
      same->finding.policies.push_back(policy);
      continue;
    }
    describe_lasso(lasso, found);
    take_one(std::move(found));
  }
  for (std::size_t i = 0; i < result.unpublished.size(); ++i) {
    if (result.unpublished[i].empty()) continue;
    const std::string& text = task.request.states.formulas[i].text;
    if (!result.reasons.empty()) {
      add(all.reasons, {fmt::format("--ltl: no state that was explored publishes '{}'", result.unpublished[i])});
      continue;
    }
    Counterexample found = unpublished(result.unpublished[i], text);
    if (known(found.finding.message) == all.lassos.end()) take_one(std::move(found));
  }
}

Result<RankStates> search(const Task& task) {
  RankStates all;
  auto program = launch_to_repeat(task.request.job);
  if (!program) return program.error();
  if (dynamic_cast<StateImages*>(program.value().get()) == nullptr) {
    all.reasons.emplace_back("accesses to windows (their states are not compared)");
    return all;
  }
  program.value()->limit_steps(
      {task.request.bounds.max_step_seconds, task.request.bounds.max_bytes / 8 * 7, task.stop});
  Surroundings surroundings;
  for (const Policy& policy : task.request.semantics.policies) {
    mc::StateSearchOptions options;
    options.policy = policy;
    if (!task.finds_endless) options.formulas = task.request.states.formulas;
    options.finds_endless = task.finds_endless;
    options.may_wait = !is_reported(task.request, "deadlock.cycle");
    options.fairness = task.request.states.fairness;
    options.max_states = task.max_states;
    options.stop = task.stop;
    options.surroundings = [&] { return surroundings.state(); };
    auto result = mc::search_states(*program.value(), options);
    if (!result) return Error{result.error().text, true};
    take(task, policy, result.value(), all);
    if (task.finds_endless && !all.lassos.empty()) break;
  }
  const Caveats caveats = program.value()->caveats();
  add(all.reasons, caveats.unsupported);
  add(all.assumptions, caveats.assumptions);
  if (!caveats.unsupported.empty()) all.lassos.clear();
  return all;
}

std::string to_text(const Result<RankStates>& result) {
  if (!result) return text_of(Json{{"error", result.error().text}, {"inconclusive", result.error().is_inconclusive}});
  Json json = {{"states", result.value().states},
               {"steps", result.value().steps},
               {"reasons", result.value().reasons},
               {"assumptions", result.value().assumptions},
               {"lassos", Json::array()}};
  for (const Counterexample& lasso : result.value().lassos) json["lassos"].push_back(to_json(lasso));
  return text_of(json);
}

Result<RankStates> from_text(const std::string& text) {
  const auto parsed = parse_json(text);
  if (!parsed) return Error{"the search of states ended without an answer", true};
  const Json& json = parsed.value();
  if (json.contains("error")) return Error{std::string(json.at("error")), bool(json.at("inconclusive"))};
  RankStates result;
  result.states = json.at("states");
  result.steps = json.at("steps");
  result.reasons = json.at("reasons").get<std::vector<std::string>>();
  result.assumptions = json.at("assumptions").get<std::vector<std::string>>();
  for (const Json& each : json.at("lassos")) {
    auto lasso = counterexample_from_json("lasso", each);
    if (!lasso) return lasso.error();
    result.lassos.push_back(std::move(lasso.value()));
  }
  return result;
}

Result<RankStates> search_apart(Task task, double seconds) {
  task.stop = task.stop.until(std::chrono::steady_clock::now(), seconds);
  const auto text = text_from_isolated([&] { return to_text(search(task)); }, seconds + grace_seconds);
  if (!text) return Error{"the process that searched the states died, or took too long", true};
  return from_text(*text);
}

}  // namespace

bool looks_for_endless(const CheckRequest& request) {
  const CheckRequest& of = request;
  return of.states.is_asked && of.job.window_objects.empty() && of.job.failures.chosen == 0 && !of.time_bound &&
         is_reported(of, "progress.cycle") && std::ranges::none_of(of.semantics.policies, &Policy::is_mixed);
}

RankStates endless_execution(const CheckRequest& request, const StopToken& stop) {
  const double seconds = std::min(most_seconds_of_aside, request.bounds.max_seconds * part_of_aside);
  auto result = search_apart({request, true, std::min(states_of_aside, request.states.max_states), stop}, seconds);
  if (result) return std::move(result.value());
  RankStates none;
  none.reasons = {result.error().text};
  return none;
}

Result<RankStates> search_formulas(const CheckRequest& request, const StopToken& stop) {
  return search_apart({request, false, request.states.max_states, stop}, std::min(request.bounds.max_seconds, 1e8));
}

}  // namespace rehearse::app
