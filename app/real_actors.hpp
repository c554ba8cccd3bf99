// SPDX-License-Identifier: MIT
//
// Use case: a program of actors for real: in a process for each host, over TCP; and beside it, in simulated time
// (docs/real-actors.md).
//
// Units:     seconds, bytes, floating-point operations.
// Errors:    the program, the hostfile, no permission for namespaces; features that do not exist between processes.
// Processes: those of the program. At the end none is left, nor a namespace or file.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/actor_events.hpp"
#include "simcore/finding.hpp"
#include "simcore/real_coordinator.hpp"
#include "simcore/stop_token.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct RealActorsRequest {
  std::string program;                 // path
  std::vector<std::string> arguments;  // its own
  std::uint32_t processes = 0;         // 0: one for each host with actors
  std::string hostfile;                // machines of the processes; empty: this one
  bool has_namespaces = false;         // a network namespace for each process
  std::vector<std::string> ssh = {"ssh"};
  std::string address;  // of this machine, for processes on others; empty: as ssh has it
  StopToken stop = {};
  std::function<void(std::string_view text)> output, errors;  // of the program for real
};

// An actor in simulated time.
struct SimulatedActor {
  std::string name, host;
  double end = -1;  // negative: it did not end
};

struct SimulatedSide {
  TimedActorRun run;
  std::string output;
  std::map<std::uint32_t, SimulatedActor> actors;  // by number
  std::uint64_t messages = 0;
  double bytes = 0, flops = 0;
  double speed = 0;  // greatest one of a host with actors, in flops per second
};

struct OutputComparison {
  bool is_same = false;
  bool is_in_order = false;
  std::size_t lines = 0;         // of the real run
  std::string first_difference;  // in words; empty: none
};

struct RealActorsReport {
  RealActorRun real;
  SimulatedSide simulated;
  OutputComparison output;
  std::vector<std::string> machines;  // of the processes
  std::vector<Finding> findings;      // of the real run
  bool is_only_simulated = false;     // the simulation did not come to the end of run(); the findings are its own
  bool was_interrupted = false;
};

Result<RealActorsReport> run_actors_for_real(const RealActorsRequest& request);

// The lines of both as sets with counts. Numbers before the unit ` s` are dates and are not compared.
OutputComparison compare_output(std::string_view real, std::string_view simulated);

}  // namespace rehearse::app
