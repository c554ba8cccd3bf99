// SPDX-License-Identifier: MIT
//
// One execution of a program of the actor API, step by step, as its schedule says.
//
// Units: dates are simulated; without dates they are 0.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/actor_step.hpp"
#include "simcore/finding.hpp"
#include "simcore/remote_actor_program.hpp"
#include "simcore/schedule.hpp"

namespace rehearse::app {

struct ActorWalk {
  std::vector<ActorStep> steps;
  std::uint64_t unused = 0;  // decisions of the schedule that the execution did not come to, or could not take
  std::vector<Finding> findings;
  std::string unsupported;  // why the execution proves nothing; empty: it does
  TimePoint end;
  bool goes_on = false;  // it was stopped
};

// Restarts the program. `taken`: called after each step; empty: not called.
// `most`: it stops after so many steps.
ActorWalk walk(RemoteActorProgram& program, const Schedule& schedule,
               const std::function<void(const ActorStep&)>& taken = {}, std::size_t most = ~std::size_t{0});

// The finding of the present end of the program; none: it ended well, or has not ended.
std::vector<Finding> judge_actors(RemoteActorProgram& program);

// The finding of an end: `id` and `what` as in Fail (empty: no failure), otherwise the exit status of the program.
std::vector<Finding> judge_actors(std::string_view id, std::string_view what, int exit_status, const ActorsEnd& end);

// A finding about actors for people, with a line for each place.
std::string describe_actors(const Finding& finding);

}  // namespace rehearse::app
