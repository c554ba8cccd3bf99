// SPDX-License-Identifier: MIT
//
// Simulated time for the application code between two operations, as the options say.
//
// Units:  seconds on this machine, flops of simulated work.
// Errors: begin() reports by RunState::fail that the options ask for an impossible measurement.
#pragma once

#include <memory>

#include "simcore/application_meter.hpp"
#include "simcore/engine/run_state.hpp"
#include "simcore/engine/state.hpp"
#include "simcore/observation.hpp"

namespace rehearse::engine {

class ApplicationTime {
 public:
  explicit ApplicationTime(RunState& run) : run_(run) {}

  // Before the first actor runs. False: the run has failed.
  bool begin();
  bool is_measured() const { return meter_ != nullptr; }

  // The actor is about to receive this answer and to continue.
  void note_answer(ActorId id, const Observation& answer) {
    if (meter_ == nullptr || run_.options.application_record == nullptr) return;
    run_.options.application_record->on_answer(id, answer);
  }
  // The flops of the stretch that the actor has just run, which pass before its operation begins. 0: none yet.
  double charge(ActorId id, ActorState& actor, TimePoint now);
  // The time of the burst that ends at the actor's operation, from its class.
  double sampled(ActorId id, ActorState& actor, double measured);
  // A stretch that is long enough to pass begins: it ends short rows of polls and of clock reads.
  void note_stretch(ActorState& actor, double flops, TimePoint now) const;

 private:
  RunState& run_;
  std::unique_ptr<ApplicationMeter> own_meter_;
  ApplicationMeter* meter_ = nullptr;  // null: application code takes no time
};

}  // namespace rehearse::engine
