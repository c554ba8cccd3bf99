// SPDX-License-Identifier: MIT
//
// One timed run after another.
#include "app/predict/prediction.hpp"

#include <unistd.h>

#include <algorithm>

#include "app/launch.hpp"
#include "properties/time_bound.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {

Prediction::Prediction(std::unique_ptr<smpi::LoadedProgram> program, std::unique_ptr<Machine> machine,
                       const ComputeOptions& compute, std::optional<double> bound_seconds)
    : program_(std::move(program)), machine_(std::move(machine)), compute_(compute), bound_(bound_seconds) {}

Result<std::unique_ptr<Prediction>> Prediction::make(const Job& job, const MachineOptions& options,
                                                     std::optional<double> bound_seconds) {
  auto machine = make_machine(options, job.ranks);
  if (!machine) return machine.error();
  auto program = launch_to_explore(job);
  if (!program) return program.error();
  place_started(*machine.value(), program.value()->actor_count());
  std::unique_ptr<Prediction> made(
      new Prediction(std::move(program.value()), std::move(machine.value()), options.compute, bound_seconds));
  EngineOptions engine;
  apply(options.compute, engine);
  if (engine.application_cost == ApplicationCost::none) return made;
  auto meter = ApplicationMeter::make(engine.application_cost, engine.seconds_per_instruction);
  if (!meter) return meter.error();
  made->meter_ = std::move(meter.value());
  made->measuring_ = getpid();
  return made;
}

// The meter of this process: a forked process needs its own. Null: nothing is counted.
ApplicationMeter* Prediction::meter(const EngineOptions& options) {
  if (options.application_cost == ApplicationCost::none) return nullptr;
  if (measuring_ == getpid()) return meter_.get();
  auto meter = ApplicationMeter::make(options.application_cost, options.seconds_per_instruction);
  REHEARSE_ASSERT(bool(meter), "a meter that could be made once");
  meter_ = std::move(meter.value());
  measuring_ = getpid();
  return meter_.get();
}

std::string prediction_identity(const MachineOptions& machine, std::optional<double> time_bound) {
  const ModelFlags& models = machine.models;
  std::string text = fmt::format("predicted on: {} hosts: {} algorithms: {} model: {}{} bound: {}", machine.on,
                                 machine.hostfile, machine.collectives, models.file,
                                 models.no_cross_traffic ? " without cross traffic" : "",
                                 time_bound ? fmt::format("{:f}", *time_bound) : "none");
  for (const auto& [name, value] : models.values) text += " " + name + "=" + value;
  return text + fmt::format(" {} at {:f}\n", describe(machine.compute), machine.compute.instructions_per_second);
}

EngineOptions options_to_predict(const Machine& machine, const ComputeOptions& compute, const Schedule& schedule) {
  EngineOptions options;
  options.placement = machine.placement;
  options.collectives = machine.collectives.get();
  apply(machine.protocol, options);
  apply(compute, options);
  options.forced = schedule;
  return options;
}

mc::Price without_cost(const RunResult& run) {
  using Without = mc::Price::Without;
  Without why = Without::impossible;
  for (const ActorOutcome& actor : run.outcome.actors) {
    if (actor.state != ActorOutcome::State::failed) continue;
    if (!is_fault(actor.failure)) return {.cost = {}, .finding = {}, .without = Without::unknown};
    // A rank that aborts ends the others before they reach all their decisions.
    if (run.unused_decisions == 0 || actor.failure == FailureKind::abort) why = Without::failed;
  }
  return {.cost = {}, .finding = {}, .without = why};
}

mc::Price Prediction::operator()(const Schedule& schedule) {
  for (std::uint32_t rank = 0; rank < program_->actor_count(); ++rank) program_->restart({rank});
  auto costs = make_cost_model(machine_->models, machine_->platform);
  if (!costs) return {};  // a program behind it does not start
  EngineOptions options = options_to_predict(*machine_, compute_, schedule);
  options.meter = meter(options);
  options.application_record = &record_;
  Engine engine(*program_, machine_->platform, std::move(costs.value()), std::move(options));
  auto result = engine.run();
  if (!result) return {};
  const auto has_ended = [](const ActorOutcome& actor) { return actor.state == ActorOutcome::State::ended; };
  if (result.value().unused_decisions > 0 || !std::ranges::all_of(result.value().outcome.actors, has_ended))
    return without_cost(result.value());
  mc::Price price{.cost = result.value().end.seconds(), .finding = {}, .without = {}};
  if (bound_) price.finding = properties::judge_time(result.value(), platform(), *bound_);
  return price;
}

}  // namespace rehearse::app
