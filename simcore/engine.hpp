// SPDX-License-Identifier: MIT
//
// The timed driver: runs a Program in simulated time on a Platform.
//
// Protocol of messages: a message of up to eager_bytes leaves at the send, which is complete at once, and can be
//           received when it has arrived. For a larger message, an envelope is sent first and arrives after the latency
//           of the route. When a receive takes it, an answer returns after the latency of the way back. Then the data
//           are sent, and both ends are complete when the data have arrived. Synchronous sends always complete when
//           they are received, buffered sends at once. The messages of one channel (context, source, destination)
//           arrive in order.
// Order:    an execution is a function of program, platform and options, except for measured computation. Events at the
//           same date happen in the order of their requests.
// Errors:   the Result of run(): a placement that does not fit, hosts without a route, a forced
//           decision that cannot be taken, a simulated time out of range.
// Ownership: program, platform and the objects that the options point to must outlive the engine.
// Threads:  none; two engines are independent.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/application_meter.hpp"
#include "simcore/application_record.hpp"
#include "simcore/collective_schedule.hpp"
#include "simcore/collective_times.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/file_system.hpp"
#include "simcore/message_costs.hpp"
#include "simcore/outcome.hpp"
#include "simcore/output.hpp"
#include "simcore/platform.hpp"
#include "simcore/program.hpp"
#include "simcore/sampler.hpp"
#include "simcore/schedule.hpp"
#include "simcore/stop_token.hpp"
#include "simcore/tap.hpp"
#include "simcore/timeline.hpp"

namespace rehearse {

// An actor that is lost at a date: it gives its last notices (simcore/notice.hpp) and ends. What it has started goes
// on; the cost model may end that with its host.
struct Loss {
  ActorId actor;
  TimePoint date;
  std::string why;
};

struct EngineOptions {
  static constexpr std::uint64_t infinite = std::numeric_limits<std::uint64_t>::max();

  MessageCosts message_costs;                 // time that actors spend on messages; default: none
  Handshake handshake = Handshake::answered;  // for messages that are not eager
  std::vector<HostId> placement;              // by actor; empty: actor i on host i modulo the number of hosts
  // The host of an actor that is born now (simcore/birth.hpp); none: that of the placement. Empty: the same for all.
  std::function<std::optional<HostId>(ActorId)> host_of_born;
  std::uint64_t eager_bytes = 65536;  // 0: no buffering at all; infinite: always buffered
  // Standard sends of one actor to another complete at once only while their unmatched messages, this one included,
  // have at most this many bytes; otherwise they complete when they fit or are matched.
  std::uint64_t buffer_bytes = infinite;
  bool synchronising_collectives = false;  // no member completes before all have arrived
  double poll_seconds = 1e-7;   // duration of an unsuccessful poll with a clock read; grows to 6 % of a row of polls
  double clock_seconds = 1e-8;  // duration of a clock read, so that loops on the clock end
  std::uint32_t polls_without_progress = 100'000;  // by each actor that is not blocked: then the program hangs

  ApplicationCost application_cost = ApplicationCost::none;  // cost of application code between two operations
  double compute_scale = 1;                                  // factor on measured times
  double seconds_per_instruction = 1.0 / 3e9;
  // Shorter measured times are added up until they reach this, or until the actor reads the clock.
  double compute_threshold_seconds = 1e-6;
  ApplicationMeter* meter = nullptr;                // measures application_cost; null: the engine makes one
  ApplicationRecord* application_record = nullptr;  // costs of earlier runs; null: every time is measured
  Sampler* bursts = nullptr;  // gives measured times: a class for each place before, place after and size of data
  SampleRule burst_rule = {};
  double reference_flops = 10e9;  // speed of this machine: a host of this speed needs the measured time

  std::vector<Loss> losses = {};  // at most one of each actor
  // Tells the program that the actor is lost; required if there are losses. The actor's operation is answered next,
  // with an answer that means nothing.
  std::function<void(ActorId, std::string_view why)> tell_lost = {};
  // A message that a link loses is a finding (link_outage) and ends the run, instead of being an error of it.
  bool reports_outages = false;

  Schedule forced;                     // decisions to take; all others are free
  StopToken stop;                      // ends the run at its next date: RunResult::was_interrupted
  TimePoint until = CostModel::never;  // the last date of the run: RunResult::was_cut

  OutputSink* output = nullptr;  // null: text is dropped
  Timeline* timeline = nullptr;  // null: no timeline
  // The category of what an actor does now, for the cost model's observer of uses. Empty: none.
  std::function<Category(ActorId)> category_of;
  // Null: nobody listens. With a tap, the volume of application code is rounded to whole flops.
  Tap* tap = nullptr;
  CollectiveSchedules* collectives = nullptr;  // null: make_generic_schedules()
  // Durations of blocking collectives of all actors, without data, in which each needs each other, with equal sizes:
  // barrier, all-reduce, all-gather, all-to-all, reduce-scatter in equal blocks. Null: their messages decide, as for
  // all other collectives. With it, an actor that sleeps may be asked for its next operation before its date, if that
  // is such a collective. Those that never end are not in Outcome::pending.
  CollectiveTimes* collective_times = nullptr;
  std::optional<FileSystem> file_system;  // empty: accesses to files take no time
  // Cost of combining received data of a collective with local data. A core of 10 Gflop/s combines 10 GB/s, about the
  // limit of its memory for sums of doubles.
  double combine_flops_per_byte = 1;
};

// The id of the finding of a lost message.
inline constexpr std::string_view link_outage = "failure.link";

struct ActorResult {
  HostId host;
  TimePoint stopped;  // ended, failed, or began to wait forever
  double compute_seconds = 0;
  double communication_seconds = 0;
  double waiting_seconds = 0;    // of these: until the senders of its messages, or the members it needed, had begun
  std::uint64_t messages = 0;    // sent messages, including those of collectives
  std::uint64_t bytes = 0;       // in these messages
  std::uint64_t unexpected = 0;  // messages that arrived before their receive was posted
  std::shared_ptr<const CallDescription> where;  // if blocked or failed; otherwise null
};

struct RunResult {
  TimePoint end;
  std::vector<ActorResult> actors;
  Outcome outcome;
  std::uint64_t unused_decisions = 0;  // forced decisions that the program never reached
  bool was_interrupted = false;        // before its end; nobody may judge who waits for what
  bool was_cut = false;                // at EngineOptions::until; likewise
};

class Engine {
 public:
  Engine(Program& program, const Platform& platform, std::unique_ptr<CostModel> costs, EngineOptions options);
  ~Engine();

  // Once per engine.
  Result<RunResult> run();

 private:
  class Core;
  std::unique_ptr<Core> core_;
};

}  // namespace rehearse
