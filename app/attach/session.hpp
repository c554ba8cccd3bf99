// SPDX-License-Identifier: MIT
//
// The loop of an attached job: frames from the devices into the bridge at once, frames out of it when they are due, and
// the programs' starts and ends.
//
// Errors:    a program that does not start; a warden that is gone.
// Processes: those of the warden.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/attach/bridge.hpp"
#include "app/attach/launch_plan.hpp"
#include "app/attach/pacing.hpp"
#include "app/attach/warden.hpp"
#include "simcore/stop_token.hpp"

namespace rehearse::app {

struct SessionSetup {
  std::vector<std::string> hosts;  // names, by index
  std::vector<PlannedProgram> programs;
  std::vector<std::string> environment;        // of the caller
  std::vector<std::string> agent_environment;  // added to it for programs of the agent
  std::string folder;                          // in which programs start
  bool spins = false;
  StopToken stop;
};

struct ProgramEnd {
  int status = 0;  // 128 and more: a signal
  TimePoint date;
};

class Session {
 public:
  // `listener`: the socket of the launch agent.
  Session(Warden& warden, Bridge& bridge, const Pacing& pacing, LagMeter lag, const FileHandle& listener,
          const SessionSetup& setup);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  // Until all programs have ended. After a failure of one of them, or a request to stop, the others get SIGTERM, and
  // have two seconds.
  Result<void> run();

  const std::vector<std::optional<ProgramEnd>>& ends() const { return ends_; }  // by program
  bool was_interrupted() const { return was_interrupted_; }
  const LagMeter& lag() const { return lag_; }
  std::uint64_t refused_frames() const { return refused_; }
  bool has_realtime_priority() const { return has_realtime_priority_; }
  TimePoint now() const;
  // Frames that kernels dropped before they were read, by host; waits.
  std::vector<std::uint64_t> kernel_drops();

 private:
  struct Agent {
    FileHandle channel;
    bool has_started = false;
  };

  Result<void> start_programs();
  Result<void> watch(int file, std::uint64_t subject);
  Result<void> handle(std::uint64_t subject);
  TimePoint forward();  // to this date
  void read_device(std::uint32_t host);
  void deliver(std::uint32_t host, std::span<const std::uint8_t> frame, TimePoint date);
  int patience_ms();
  Result<void> handle_report();
  void accept_agent();
  void handle_agent(std::uint32_t id);
  void start_for_agent(std::uint32_t id, ChannelMessage& message);
  void end_agent(std::uint32_t id, const std::vector<std::string>& answer);
  void begin_end();
  bool is_over() const;

  Warden& warden_;
  Bridge& bridge_;
  Pacing pacing_;
  LagMeter lag_;
  const FileHandle& listener_;
  const SessionSetup& setup_;
  FileHandle poll_, timer_;
  std::vector<std::optional<ProgramEnd>> ends_;
  std::size_t running_ = 0;
  std::map<std::uint32_t, Agent> agents_;  // by the id of their program
  std::uint32_t next_id_ = 0;
  std::vector<std::uint8_t> buffer_;
  std::uint64_t refused_ = 0;
  bool was_interrupted_ = false;
  bool has_realtime_priority_ = false;
  std::optional<std::int64_t> end_ns_;  // the end of patience
};

// Of CLOCK_MONOTONIC and CLOCK_REALTIME, in nanoseconds.
std::int64_t monotonic_now();
std::int64_t realtime_now();

}  // namespace rehearse::app
