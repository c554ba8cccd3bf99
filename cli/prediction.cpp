// SPDX-License-Identifier: MIT
//
// One timed run after another.
#include "cli/prediction.hpp"

#include <algorithm>

#include "cli/launch.hpp"
#include "properties/time_bound.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::cli {

Prediction::Prediction(std::unique_ptr<Program> program, std::unique_ptr<Machine> machine,
                       std::optional<double> bound_seconds)
    : program_(std::move(program)), machine_(std::move(machine)), bound_(bound_seconds) {}

Result<std::unique_ptr<Prediction>> Prediction::make(const std::string& path,
                                                     const std::vector<std::string>& arguments, std::uint32_t ranks,
                                                     const MachineOptions& options,
                                                     const smpi::BufferChecks& buffers,
                                                     std::optional<double> bound_seconds) {
  auto machine = make_machine(options, ranks);
  if (!machine) return machine.error();
  auto program = launch_to_explore(path, arguments, ranks, buffers);
  if (!program) return program.error();
  return std::unique_ptr<Prediction>(
      new Prediction(std::move(program.value()), std::move(machine.value()), bound_seconds));
}

EngineOptions options_to_predict(const Machine& machine, const Schedule& schedule) {
  EngineOptions options;
  options.placement = machine.placement;
  options.collectives = machine.collectives.get();
  options.own_code = OwnCode::none;
  options.forced = schedule;
  return options;
}

mc::Price Prediction::operator()(const Schedule& schedule) {
  for (std::uint32_t rank = 0; rank < program_->actor_count(); ++rank) program_->restart({rank});
  auto costs = make_cost_model(machine_->models, machine_->platform);
  REHEARSE_ASSERT(bool(costs), "a cost model that could be made once");
  Engine engine(*program_, machine_->platform, std::move(costs.value()), options_to_predict(*machine_, schedule));
  auto result = engine.run();
  if (!result || result.value().unused_decisions > 0) return {};
  const auto has_ended = [](const ActorOutcome& actor) { return actor.state == ActorOutcome::State::ended; };
  if (!std::ranges::all_of(result.value().outcome.actors, has_ended)) return {};
  mc::Price price{result.value().end.seconds(), std::nullopt};
  if (bound_) price.finding = properties::judge_time(result.value(), platform(), *bound_);
  return price;
}

}  // namespace rehearse::cli
