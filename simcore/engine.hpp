// SPDX-License-Identifier: MIT
//
// The timed driver: runs a Program in simulated time on a Platform.
//
// Protocol of messages: up to eager_bytes a message leaves at the send, which is complete at once, and
//           can be received when it has arrived. A larger one announces itself: its envelope arrives
//           after the latency of the route, a receive takes it, the answer comes back after the latency
//           of the way back, then the data go, and both ends are complete when they have arrived.
//           Synchronous sends always complete when they are received, buffered
//           ones at once. The messages of one channel (context, source, destination) arrive in order.
// Order:    an execution is a function of program, platform and options, except where computation is
//           measured. What happens at the same date happens in the order in which it was asked for.
// Errors:   the Result of run(): a placement that does not fit, hosts without a route, a forced
//           decision that cannot be taken, a simulated time out of range.
// Ownership: program, platform and what the options point to must outlive the engine.
// Threads:  none; two engines are independent.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "simcore/application_meter.hpp"
#include "simcore/application_record.hpp"
#include "simcore/collective_schedule.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/message_costs.hpp"
#include "simcore/outcome.hpp"
#include "simcore/output.hpp"
#include "simcore/platform.hpp"
#include "simcore/program.hpp"
#include "simcore/schedule.hpp"
#include "simcore/timeline.hpp"

namespace rehearse {

struct EngineOptions {
  static constexpr std::uint64_t infinite = std::numeric_limits<std::uint64_t>::max();

  MessageCosts message_costs;                // of the actors; nothing unless said
  Handshake handshake = Handshake::answered;  // of messages that are not eager
  std::vector<HostId> placement;  // by actor; empty: actor i on host i modulo the number of hosts
  std::uint64_t eager_bytes = 65536;         // 0: no buffering at all; infinite: always buffered
  // Standard sends of one actor to another complete at once only while their unmatched messages, this
  // one included, have at most so many bytes; otherwise when there is room again or they are matched.
  std::uint64_t buffer_bytes = infinite;
  bool synchronising_collectives = false;    // no member is done before all have arrived
  double poll_seconds = 1e-7;   // of polling in vain with a look at the clock; repeated: to 6 % of the whole
  double clock_seconds = 1e-8;  // of asking for the time, so that loops on the clock come to an end
  std::uint32_t polls_without_progress = 100'000;  // by each actor that is not blocked: it is hanging

  ApplicationCost application_cost = ApplicationCost::none;  // what the application code between two operations costs
  double compute_scale = 1;                  // of measured times
  double seconds_per_instruction = 1.0 / 3e9;
  // Shorter measured times are summed up until they are as long, or the actor looks at the clock.
  double compute_threshold_seconds = 1e-6;
  ApplicationMeter* meter = nullptr;  // of application_cost; null: the engine makes one
  ApplicationRecord* application_record =
      nullptr;                    // what application code used in earlier runs; null: every time is measured
  double reference_flops = 10e9;  // of this machine: a host of that speed needs the measured time

  Schedule forced;  // decisions to take; whatever it does not name is free

  OutputSink* output = nullptr;                  // null: text is dropped
  Timeline* timeline = nullptr;                  // null: nobody looks
  CollectiveSchedules* collectives = nullptr;    // null: make_generic_schedules()
  // Of combining what came in a collective with what is there. A core of 10 Gflop/s combines 10 GB/s, about what
  // its memory allows for sums of doubles.
  double combine_flops_per_byte = 1;
};

struct ActorResult {
  HostId host;
  TimePoint stopped;  // ended, failed, or began to wait for ever
  double compute_seconds = 0;
  double communication_seconds = 0;
  std::uint64_t messages = 0;  // sent, those of collectives included
  std::uint64_t bytes = 0;     // that they carried
  std::optional<CallDescription> where;  // if blocked or failed
};

struct RunResult {
  TimePoint end;
  std::vector<ActorResult> actors;
  Outcome outcome;
  std::uint64_t unused_decisions = 0;  // forced ones that the program never came to
};

class Engine {
 public:
  Engine(Program& program, const Platform& platform, std::unique_ptr<CostModel> costs,
         EngineOptions options);
  ~Engine();

  // Once per engine.
  Result<RunResult> run();

 private:
  class Core;
  std::unique_ptr<Core> core_;
};

}  // namespace rehearse
