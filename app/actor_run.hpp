// SPDX-License-Identifier: MIT
//
// Runs a program of the actor API once: in simulated time, or as the schedule of a counter-example says, for
// `rehearse run` and `rehearse replay`.
//
// Output: the standard output of the program goes where ours goes; its error output is kept.
// Errors: a program that cannot be started, or that ends before its first run().
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/actor_recording.hpp"
#include "app/actor_steps.hpp"
#include "app/counterexample.hpp"
#include "simcore/actor_events.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/finding.hpp"
#include "simcore/stop_token.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct ActorRun {
  TimedActorRun run;
  std::vector<Finding> findings;
  std::optional<ActorPictures> pictures;  // if requested
};

struct ActorRunRequest {
  RemoteActorProgram::Launch launch;
  bool with_pictures = false, with_usage = false;
  TimePoint latest = CostModel::never;  // the run is cut at this date
};

Result<ActorRun> run_actors(const ActorRunRequest& request);

struct ActorReplayRequest {
  Counterexample counterexample;
  double step_seconds = 60;
  bool with_pictures = false;
  StopToken stop = {};
  bool shows_output = true;  // of the program
};

struct ActorReplay {
  ActorWalk walk;
  bool is_same = false;  // the finding happened again, with all decisions of the schedule
  std::string errors;    // the error output of the program
  std::string platform;
  std::optional<ActorPictures> pictures;
};

// Time passes as the platform of the program says; an event that the schedule puts behind a later one waits for it.
// `taken`: called after each step.
Result<ActorReplay> replay_actors(const ActorReplayRequest& request,
                                  const std::function<void(const ActorStep&)>& taken);

}  // namespace rehearse::app
