// SPDX-License-Identifier: MIT
//
// The group of actors of one Simulation, one choice at a time.
#include "simcore/actor_program.hpp"

#include <algorithm>
#include <utility>

#include "simcore/kernel/kernel.hpp"
#include "simcore/kernel/state_profiles.hpp"
#include "simcore/kernel/untimed_world.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse {

using sim::kernel::goes_off_by_itself;
using sim::kernel::Option;
using sim::kernel::UntimedWorld;

namespace {

std::unique_ptr<UntimedWorld> make_world(const Platform& platform) {
  auto states = make_cost_model(ModelOptions{}, platform);
  if (!states) throw sim::BadUse(states.error().text);
  return std::make_unique<UntimedWorld>(std::move(states.value()));
}

}  // namespace

struct ActorProgram::Run {
  Run(const Platform& platform, std::unique_ptr<UntimedWorld> made)
      : world(*made), simulation(platform, std::move(made)) {}

  UntimedWorld& world;
  sim::Simulation simulation;
  std::string text;  // of a failure
  Operation operation;

  // Goes to the next choice, even if it has only one way, or to the end.
  void advance() {
    sim::kernel::Kernel& kernel = simulation.kernel();
    if (const auto& race = kernel.race()) return fail(*race);
    kernel.actors().end_idle_daemons();
    const auto options = world.options();
    if (options.empty()) return end(kernel.report());
    operation = Choose{static_cast<std::uint32_t>(options.size()), "what the actors do next"};
  }

  void fail(const sim::FailedActor& actor) {
    text = "an exception left actor '" + actor.name + "': " + actor.what;
    operation = Fail{FailureKind::crash, "crash.exception", text};
  }

  void fail(const sim::kernel::VariableRace& race) {
    const auto side = [](const sim::kernel::VariableAccess& access) {
      return "actor '" + access.actor + "' " + sim::kernel::text_of(access);
    };
    std::string sides[] = {side(race.first), side(race.second)};
    std::ranges::sort(sides);  // the same text for either order
    text = "actors access a shared variable, and nothing orders the accesses: " + sides[0] + "; " + sides[1];
    operation = Fail{FailureKind::assertion, "race.variable", text};
  }

  void end(const sim::RunReport& report) {
    const auto name = [](const sim::FailedActor& actor) { return std::pair(actor.name, actor.what); };
    if (!report.failed.empty())  // the same failure for any order of failures
      return fail(*std::ranges::min_element(report.failed, {}, name));
    operation = End{0};
    if (!report.is_deadlock()) return;
    text = report.text();
    operation = Fail{FailureKind::abort, "deadlock.actors", text};
  }
};

ActorProgram::ActorProgram(const Platform& platform, std::function<void(sim::Simulation&)> setup)
    : platform_(platform), setup_(std::move(setup)) {}

ActorProgram::~ActorProgram() = default;

const Operation& ActorProgram::next(ActorId) {
  if (run_ == nullptr) {
    run_ = std::make_unique<Run>(platform_, make_world(platform_));
    const sim::kernel::Preparing preparing(run_->simulation.kernel());
    setup_(run_->simulation);
    if (goes_off_by_itself(platform_))
      run_->operation = Fail{FailureKind::unsupported, "unsupported.feature",
                             "exploring actors on hosts or links that go off by their profiles"};
    else run_->advance();
  }
  return run_->operation;
}

Ways ActorProgram::ways(ActorId actor) {
  next(actor);
  if (run_->simulation.kernel().race()) return {{}, run_->world.strayed()};  // the rest never happens
  return {run_->world.ways(), run_->world.strayed()};
}

void ActorProgram::resume(ActorId actor, const Observation& observation) {
  REHEARSE_ASSERT(std::holds_alternative<Choose>(next(actor)), "only a choice is answered");
  REHEARSE_ASSERT(observation.completions.size() == 1, "a choice is answered with its index");
  run_->world.take(observation.completions[0].index);
  run_->advance();
}

void ActorProgram::restart(ActorId) { run_ = nullptr; }

std::unique_ptr<Snapshot> ActorProgram::save(ActorId) { return nullptr; }

void ActorProgram::restore(ActorId, const Snapshot&) {
  internal_error(__FILE__, __LINE__, "restore", "an ActorProgram makes no snapshots");
}

CallDescription ActorProgram::describe(ActorId actor) {
  CallDescription description;
  if (const auto* failure = std::get_if<Fail>(&next(actor))) {
    description.call = failure->what;
  } else if (std::holds_alternative<End>(run_->operation)) {
    description.call = "the end";
  } else {
    std::string list;
    for (const Option& option : run_->world.options())
      list += (list.empty() ? "" : "; ") + run_->world.describe(option);
    description.call = "choose: " + list;
  }
  return description;
}

}  // namespace rehearse
