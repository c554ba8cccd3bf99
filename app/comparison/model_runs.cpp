// SPDX-License-Identifier: MIT
//
// Runs and replays under each model, in a child process.
#include <string_view>

#include "app/exit_status.hpp"
#include "app/isolated_lines.hpp"
#include "app/model_comparison.hpp"

namespace rehearse::app {
namespace {

using RunOne = std::function<ModelRun(const ModelChoice& choice)>;

bool takes_packet_keys(std::string_view network) { return network == "packet" || network == "ns3"; }

// Keys that the user gave to all models are for models of packets only. Keys of a choice are for that model, which may
// refuse them.
void choose(const ModelChoice& choice, MachineOptions& machine) {
  machine.models.values["network"] = choice.network;
  machine.models.without_packet_keys = choice.packet_keys.empty() && !takes_packet_keys(choice.network);
  machine.models.without_library_numbers = choice.network != library_network;
  if (choice.packet_keys.empty()) return;
  std::string& keys = machine.models.values["packet"];
  keys += (keys.empty() ? "" : ",") + choice.packet_keys;
}

ModelRun failed(const ModelChoice& choice, std::string problem, int exit_status) {
  ModelRun run;
  run.label = choice.label;
  run.network = choice.network;
  run.problem = std::move(problem);
  run.exit_status = exit_status;
  return run;
}

// A child runs all models, so that they share measured times. If it dies, another one runs the remaining models.
std::vector<ModelRun> run_each(const std::vector<ModelChoice>& choices, const StopToken& stop, const RunOne& run_one) {
  std::vector<ModelRun> runs;
  while (runs.size() < choices.size() && !stop.stop_requested()) {
    const std::string death = lines_from_isolated(
        [&](const TakeLine& send) {
          for (std::size_t i = runs.size(); i < choices.size(); ++i) send(to_json(run_one(choices[i])).dump());
        },
        [&](const std::string& line) {
          if (const auto json = parse_json(line)) runs.push_back(model_run_from(json.value()));
        },
        stop);
    if (stop.stop_requested() || runs.size() == choices.size()) break;
    const std::string problem = death.empty() ? "the run sent no result" : "the run ended " + death;
    runs.push_back(failed(choices[runs.size()], problem, exit_inconclusive));
  }
  while (runs.size() < choices.size())
    runs.push_back(failed(choices[runs.size()], "interrupted before its end", exit_inconclusive));
  return runs;
}

// Errors begin with the verb, which the caller writes.
std::string without_verb(const std::string& text, const std::string& verb) {
  return text.starts_with(verb + ": ") ? text.substr(verb.size() + 2) : text;
}

}  // namespace

std::vector<ModelRun> run_models(const RunRequest& request, const std::vector<ModelChoice>& choices,
                                 const StopToken& stop) {
  ApplicationRecord record;
  return run_each(choices, stop, [&](const ModelChoice& choice) {
    RunRequest each = request;
    each.recorded = Recorded::calls_and_resources;
    each.discard_files = true;
    each.application_record = &record;
    choose(choice, each.machine);
    const auto done = run(each);
    if (!done) return failed(choice, without_verb(done.error().text, "run"), exit_bad_input);
    return model_run_of(choice, *done.value().machine, done.value().run, done.value().wall_seconds);
  });
}

std::vector<ModelRun> replay_models(const TraceReplayRequest& request, const std::vector<ModelChoice>& choices,
                                    const StopToken& stop) {
  return run_each(choices, stop, [&](const ModelChoice& choice) {
    TraceReplayRequest each = request;
    each.recorded = Recorded::calls_and_resources;
    choose(choice, each.machine);
    const auto done = replay_trace(each);
    if (!done) return failed(choice, without_verb(done.error().text, request.verb), exit_bad_input);
    return model_run_of(choice, *done.value().machine, done.value().run, done.value().wall_seconds);
  });
}

}  // namespace rehearse::app
