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
#include <string>
#include <string_view>
#include <vector>

#include "simcore/support/result.hpp"
#include "trace/goal.hpp"

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

struct LogGopsResult {
  std::vector<std::uint64_t> ends;  // by rank
  std::uint64_t events = 0;         // begun operations and messages
  // Operations that never end, in the order of the schedule: those that began, and those that wait for another one.
  std::vector<std::uint32_t> begun, not_begun;
  std::vector<std::uint32_t> not_received;  // sends of messages that no receive takes; the sends may be done
};

Result<LogGopsResult> simulate_log_gops(const GoalSchedule& schedule, const LogGopsParameters& parameters);

}  // namespace rehearse::trace
