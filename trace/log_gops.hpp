// SPDX-License-Identifier: MIT
//
// The LogGOPS model of GOAL schedules: a network without contention, and ranks that pay for each message.
//
// Model:  a rank has processors and ports. A processor carries out one operation at a time; a port has one message on
//         its way out and one on its way in.
//         calc n    takes its processor for n.
//         send k    waits for processor and port; takes the processor for o + (k-1) O and the port for g + (k-1) G. Its
//                   first byte is at the receiver o + L later. With k <= S it is done when its processor is free again;
//                   otherwise when it is matched.
//         message   waits at the receiver for processor and port, even where no receive is posted; takes the processor
//                   for o + (k-1) max(O, G) and the port for g + (k-1) G; then the first posted receive takes it. The
//                   processor and the port are those of this receive; without one, those with number 0.
//         recv      takes no time of its own; takes the first message in the order of arrival, or waits for one.
//         For k = 0, k-1 is 0. A rank ends when the last of its processors is free.
// Order:  events of one date in the order in which they were caused. Of operations that become free together sends come
//         first, then receives, then calculations; then the order of the file's edges decides.
// Units:  nanoseconds, bytes.
// Errors: a schedule that could take 2^63 ns.
// Source: T. Hoefler, T. Schneider, A. Lumsdaine, "LogGOPSim - Simulating Large-Scale Applications in the LogGOPS
//         Model", LSAP 2010. docs/design/traces.md lists the differences from their program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/support/result.hpp"
#include "trace/goal.hpp"
#include "trace/goal_conversion.hpp"

namespace rehearse::trace {

// The defaults are those of LogGOPSim.
struct LogGopsParameters {
  std::uint64_t latency = 2500;         // L
  std::uint64_t overhead = 1500;        // o
  std::uint64_t gap = 1000;             // g
  std::uint64_t gap_per_byte = 6;       // G
  std::uint64_t overhead_per_byte = 0;  // O
  std::uint64_t eager_bytes = 65535;    // S
};

// "L=2500,o=1500,g=1000,G=6,O=0,S=65535", any of them; the others are defaults.
Result<LogGopsParameters> parse_log_gops(std::string_view text);
std::string text_of(const LogGopsParameters& parameters);

// What the operations of a rank take together.
struct LogGopsLoad {
  std::uint64_t compute_ns = 0;   // of all its processors
  std::uint64_t overhead_ns = 0;  // of its processors, for messages that it sends, and for those sent to it
  std::uint64_t messages = 0;     // sent
  std::uint64_t bytes = 0;        // sent
};

struct LogGopsResult {
  std::vector<std::uint64_t> ends;  // by rank
  std::vector<LogGopsLoad> loads;   // by rank
  std::uint64_t events = 0;         // begun operations and messages
  // Operations that never end, in the order of the schedule: those that began, and those that wait for another one.
  std::vector<std::uint32_t> begun, not_begun;
  std::vector<std::uint32_t> not_received;  // sends of messages that no receive takes; the sends may be done
};

Result<LogGopsResult> simulate_log_gops(const GoalSchedule& schedule, const LogGopsParameters& parameters);

class LogGopsLoads {
 public:
  LogGopsLoads(std::uint32_t ranks, const LogGopsParameters& parameters);

  void add(std::uint32_t rank, const GoalOperation& operation) {
    LogGopsLoad& load = of_ranks_[rank];
    if (operation.kind == GoalKind::receive) return;
    latest_ += longest(operation);
    if (operation.kind == GoalKind::calculation) {
      load.compute_ns += operation.size;
      return;
    }
    ++load.messages;
    load.bytes += operation.size;
    const std::uint64_t more = operation.size == 0 ? 0 : operation.size - 1;
    load.overhead_ns += parameters_.overhead + more * parameters_.overhead_per_byte;
    of_ranks_[operation.peer].overhead_ns += parameters_.overhead + more * received_per_byte_;
  }

  // A date could be later than 9e18 ns: all that takes time would do so one after the other.
  bool may_be_too_long() const { return latest_ > 9e18; }
  std::vector<LogGopsLoad>& of_ranks() { return of_ranks_; }

 private:
  double longest(const GoalOperation& operation) const {
    const auto size = static_cast<double>(operation.size);
    return operation.kind == GoalKind::calculation ? size : longest_message_ + size * longest_byte_;
  }

  LogGopsParameters parameters_;
  std::uint64_t received_per_byte_;
  double longest_message_, longest_byte_;
  double latest_ = 0;
  std::vector<LogGopsLoad> of_ranks_;
};

struct SimulatedCalls {
  LogGopsResult result;  // without operations that never end, and messages that nobody receives
  std::uint64_t actions = 0;
};

// The same result for a trace of calls, without its schedule: memory for the operations that are under way. Nothing:
// the trace has an error, cannot be converted, or leaves something unfinished. The schedule shows what.
std::optional<SimulatedCalls> simulate_calls(const Trace& trace, const GoalConversion& options,
                                             const LogGopsParameters& parameters);

}  // namespace rehearse::trace
