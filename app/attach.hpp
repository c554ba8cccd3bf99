// SPDX-License-Identifier: MIT
//
// Use case: real processes in network namespaces, one for each host of a platform, whose frames pass the packet model
// in real time that is slowed down by a factor.
//
// Shape:     app/attach/warden.hpp starts the processes, app/attach/bridge.hpp has their frames, app/attach/session.hpp
//            the loop between both.
// Units:     seconds of simulated time since the start of the processes, unless the name says `wall`.
// Errors:    the platform, its models or keys; no permission for namespaces or TAP devices; a program that does not
//            start. Nothing is left behind: no process, device, namespace or file.
// Processes: those of the job, below one child.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/machine.hpp"
#include "simcore/packet_network.hpp"
#include "simcore/stop_token.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct AttachRequest {
  std::uint32_t ranks = 1;  // copies of the program, or slots for a launcher
  MachineOptions machine;   // the network model is `packet`
  double time_factor = 1;
  bool spins = false;          // never sleeps
  std::string start = "auto";  // or copies, once, openmpi, mpich
  std::vector<std::string> program;
  std::vector<std::string> environment;  // of the caller
  std::string own_program;               // path of rehearse, for the launch agent
  std::string slowing_library;           // path
  StopToken stop = {};
};

struct AttachedProgram {
  std::string name;  // `rank 0`, or that of the launcher
  std::string host;
  int status = 0;  // 128 and more: a signal
  double end_seconds = 0;
};

struct AttachedHost {
  std::string name;
  std::string address;
  std::uint64_t kernel_drops = 0;  // frames that the kernel dropped before they were read
};

struct AttachReport {
  std::string platform;
  double time_factor = 1;
  double seconds = 0;       // from the start to the end of the last program
  double wall_seconds = 0;  // likewise
  bool was_interrupted = false;
  bool has_realtime_priority = false;  // the loop; the system permitted it
  std::vector<AttachedProgram> programs;
  std::vector<AttachedHost> hosts;
  std::uint64_t frames_entered = 0, frames_delivered = 0, frames_dropped = 0, frames_marked = 0, frames_inside = 0;
  std::uint64_t frames_ignored = 0;      // neither IPv4 nor to a host that takes part
  std::uint64_t frames_unreachable = 0;  // no route
  std::uint64_t frames_refused = 0;      // the receiving kernel did not accept them
  double max_behind = 0, mean_behind = 0;
  std::uint64_t late_frames = 0;          // more than the limit behind
  std::optional<double> behind_limit;     // 5 % of the smallest latency of a link; none: all latencies are 0
  std::optional<double> proposed_factor;  // none: the present one will do
  std::uint64_t packet_hops = 0, events = 0;
  struct Link {
    std::string name;
    PacketLink totals;
  };
  std::vector<Link> links;
};

Result<AttachReport> attach(const AttachRequest& request);

// The launch agent: runs the words, joined by blanks, with the shell of another host of the job that listens at this
// socket. Returns the status of the command; 128 and more: a signal.
Result<int> enter_host(const std::string& socket, const std::string& host, const std::vector<std::string>& words);

}  // namespace rehearse::app
