// SPDX-License-Identifier: MIT
//
// The work in the child process.
#include "app/investigation.hpp"

#include <filesystem>

#include "app/decision_text.hpp"
#include "app/isolated.hpp"
#include "app/launch.hpp"
#include "app/predict/prediction.hpp"
#include "app/replay.hpp"
#include "properties/differences.hpp"
#include "properties/judge.hpp"
#include "properties/wait_graph.hpp"
#include "simcore/support/format.hpp"
#include "smpi/window_model.hpp"

namespace rehearse::app {
namespace {

constexpr std::size_t story_lines = 100;
constexpr double investigation_patience = 10;  // seconds, beyond the requested ones, to load and replay the program

void limit_steps_as_asked(smpi::LoadedProgram& program, mc::ExploreOptions& how, const InvestigationOptions& options) {
  how.bounds.max_step_seconds = options.max_step_seconds;
  how.bounds.max_bytes = options.max_memory;
  limit_steps_of(program, how);
}

// "rank 0 (MPI_Send at ring.c:15) waits for rank 1"
std::vector<std::string> waits_of(const RunResult& run) {
  std::vector<std::string> lines;
  Outcome outcome = run.outcome;
  smpi::hide_window_objects(outcome);
  const properties::WaitGraph graph(outcome);
  const auto has_ended = [&outcome](ActorId actor) {
    return outcome.actors[actor.value].state == ActorOutcome::State::ended;
  };
  for (std::uint32_t a = 0; a < outcome.actors.size(); ++a) {
    if (!graph.is_blocked({a})) continue;
    std::vector<std::string> others;
    for (const ActorId other : graph.reason({a}).providers)
      others.push_back(fmt::format("rank {}{}", other.value, has_ended(other) ? ", which has ended" : ""));
    std::string at;
    if (const auto& where = run.actors[a].where) {
      at = where->call.substr(0, where->call.find('('));
      if (!where->frames.empty() && !where->frames.front().file.empty())
        at += fmt::format(" at {}:{}", std::filesystem::path(where->frames.front().file).filename().string(),
                          where->frames.front().line);
    }
    std::string whom;
    for (std::size_t i = 0; i < others.size(); ++i)
      whom += (i == 0 ? "" : i + 1 == others.size() ? " or " : ", ") + others[i];
    lines.push_back(
        fmt::format("rank {}{} --> {}", a, at.empty() ? "" : " (" + at + ")", whom.empty() ? "nobody" : whom));
  }
  return lines;
}

Explanation explanation_of(mc::Explanation cause) {
  Explanation explanation;
  explanation.story = lines_of(cause.story);
  if (explanation.story.size() > story_lines) {
    cause.is_story_whole = false;
    explanation.story.erase(explanation.story.begin(),
                            explanation.story.end() - static_cast<std::ptrdiff_t>(story_lines));
  }
  explanation.cause = std::move(cause);
  return explanation;
}

// The new counter-example as JSON; empty: there is none.
std::string investigate(const Counterexample& found, mc::ExploreOptions how, const Judge& judge,
                        const InvestigationOptions& options) {
  Counterexample better = found;
  {
    auto program = launch_to_explore(job_of(found));
    if (!program) return "";
    limit_steps_as_asked(*program.value(), how, options);
    std::unique_ptr<Prediction> prediction;
    if (found.time_bound) {
      auto made = Prediction::make(job_of(found), options.machine, found.time_bound);
      if (!made) return "";
      prediction = std::move(made.value());
      how.hooks.price = std::ref(*prediction);
    }
    mc::InvestigateOptions limits;
    limits.max_seconds = options.seconds;
    auto cause = mc::investigate(*program.value(), how, found.policy, judge, found.finding, limits);
    if (!cause) return "";
    better.finding = cause->finding;
    better.finding.likewise = found.finding.likewise;
    better.explanation = explanation_of(std::move(*cause));
  }
  auto again = replay({better, found.time_bound ? options.machine : MachineOptions{}, options.max_step_seconds});
  if (!again || !again.value().is_same) return "";
  better.explanation->replayed_on = again.value().machine->platform.name();
  better.explanation->waits = waits_of(again.value().run.result);
  return to_json(better).dump();
}

Json found_json(const mc::Found& found, const Counterexample& of) {
  Json answer = {{"problems", found.problems}};
  if (found.finding) {
    Counterexample fitting = of;
    fitting.finding.witness = found.finding->witness;
    fitting.finding.locations = found.finding->locations;
    fitting.finding.message = found.finding->message;
    answer["counterexample"] = to_json(fitting);
  }
  return answer;
}

}  // namespace

Counterexample investigated(const Counterexample& found, const mc::ExploreOptions& how, const Judge& judge,
                            const InvestigationOptions& options) {
  const auto text = text_from_isolated([&] { return investigate(found, how, judge, options); },
                                       options.seconds + investigation_patience);
  if (!text || text->empty()) return found;
  auto json = parse_json(*text);
  if (!json) return found;
  auto better = counterexample_from_json("", json.value());
  return better ? better.value() : found;
}

Result<Counterexample> found_again(const Counterexample& counterexample, const InvestigationOptions& options) {
  const auto text = text_from_isolated(
      [&] {
        auto program = launch_to_explore(job_of(counterexample));
        if (!program) return Json{{"problems", {program.error().text}}}.dump();
        mc::ExploreOptions how;
        how.semantics.polls = counterexample.polls;
        how.hooks.report_difference = properties::report_difference;
        how.hooks.report_state = properties::report_state;
        limit_steps_as_asked(*program.value(), how, options);
        mc::InvestigateOptions limits;
        limits.max_seconds = options.seconds;
        const auto found = mc::find_again(*program.value(), how, counterexample.policy, properties::judge,
                                          counterexample.finding, counterexample.explanation->cause.decisions, limits);
        return found_json(found, counterexample).dump();
      },
      options.seconds + investigation_patience);
  if (!text) return Error{"the new program could not be run with these decisions"};
  auto parsed = parse_json(*text);
  if (!parsed) return Error{"the new program could not be run with these decisions"};
  const Json& answer = parsed.value();
  if (!answer["problems"].empty()) return Error{answer["problems"][0].get<std::string>()};
  if (!answer.contains("counterexample")) return Error{"with the same decisions the finding no longer happens"};
  return counterexample_from_json("", answer["counterexample"]);
}

}  // namespace rehearse::app
