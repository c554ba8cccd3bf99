// SPDX-License-Identifier: MIT
//
// The global states of a compiled program of the actor API: memory of all actors, messages and activities in progress,
// published values. Equal images mean equal states: the same steps are possible and lead to equal states.
//
// Steps:   a path to a state is a list of doers (StepOption::doer), one for each step from the beginning.
// Dates:   there are none; actors that read them get 0, and `has_read_dates` is set from then on.
// Errors:  launch() names the program and its fault. A state that cannot be explored has a kind that says why.
// Cost:    a new process for each state that is shown, which takes the steps to it again.
// Threads: none.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "simcore/operation.hpp"
#include "simcore/remote_actor_program.hpp"
#include "simcore/stop_token.hpp"
#include "simcore/support/result.hpp"
#include "simcore/support/wide_hash.hpp"

namespace rehearse {

struct ActorValue {
  std::uint32_t actor = 0;  // its number in the order of creation, from 0
  std::string name;
  std::int64_t value = 0;
  bool operator==(const ActorValue&) const = default;
};

struct StepOption {
  std::uint64_t doer = 0;         // the actor or event that makes the step: the same number in equal states
  bool is_early_timeout = false;  // a wait with a timeout ends without success, while something else can happen
};

struct ActorsState {
  enum class Kind : std::uint8_t {
    goes_on,  // it has options
    ended,    // with exit status `status`; no step is left
    failed,   // as Fail: `failure`, `id`, `what`, `end`
  } kind = Kind::goes_on;
  WideHash image;  // of a state that goes on
  std::vector<StepOption> options;
  std::vector<ActorValue> published;
  bool has_read_dates = false;
  int status = 0;
  FailureKind failure = FailureKind::crash;
  std::string id, what;
  ActorsEnd end;
};

// A step of a path.
struct TracedActorStep {
  WideHash image;                     // of the state before it
  std::uint32_t index = 0;            // of its choice in RemoteActorProgram
  std::string text, instead;          // in words; and those of the first choice, if it is another one
  std::vector<Frame> frames;          // of the actor that makes it; empty: unknown, or no actor does
  std::vector<ActorValue> published;  // before it
};

struct ActorTrace {
  std::vector<TracedActorStep> steps;
  ActorsState last;  // after them
};

class RemoteActorStates {
 public:
  struct Launch {
    std::string path;
    std::vector<std::string> arguments;
    double max_step_seconds = 60;
    StopToken stop = {};
  };
  static Result<std::unique_ptr<RemoteActorStates>> launch(const Launch& launch);
  ~RemoteActorStates();

  ActorsState first();
  // The states after these steps and one more, by option of the state after the steps. Fewer than its options: the last
  // one tells why.
  std::vector<ActorsState> successors(std::span<const std::uint64_t> steps);
  ActorTrace trace(std::span<const std::uint64_t> steps);

 private:
  class Core;
  explicit RemoteActorStates(std::unique_ptr<Core> core);
  std::unique_ptr<Core> core_;
};

}  // namespace rehearse
