// SPDX-License-Identifier: MIT
//
// The loop of a run for real: messages of the processes to their coordinator and back, their output, their ends.
//
// Errors:    a process that does not start or does not connect.
// Processes: those of the starter.
#pragma once

#include <poll.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/real/run_output.hpp"
#include "app/real/starts.hpp"
#include "simcore/real_coordinator.hpp"
#include "simcore/stop_token.hpp"

namespace rehearse::app {

class RealLauncher {
 public:
  struct Setup {
    std::string program;
    std::string secret;
    std::vector<StartedProcess> processes;
    RunOutput::Write output, errors;
    StopToken stop;
  };
  // `listeners`: sockets to which the processes connect.
  RealLauncher(ProcessStarter& starter, std::vector<FileHandle> listeners, Setup setup);
  RealLauncher(const RealLauncher&) = delete;
  RealLauncher& operator=(const RealLauncher&) = delete;

  Result<void> run();
  bool was_interrupted() const { return was_interrupted_; }
  const RealActorRun& result() const { return coordinator_.run(); }

 private:
  struct Connection {
    FileHandle socket;
    RealMessageReader reader;
    std::string unsent;
    std::int64_t process = -1;  // not known yet
    bool is_closed = false;
  };
  struct Process {
    ProcessStreams streams;
    Connection* connection = nullptr;
    std::string last_errors;  // for the reason of an abort
    bool has_ended = false;
    int status = 0;
  };

  Result<void> start();
  bool is_over() const;
  void wait();
  void accept(int listener);
  void read(Connection& connection);
  void write(Connection& connection);
  void close(Connection& connection);
  void send(std::uint32_t process, const RealMessage& message);
  void read_streams(std::uint32_t process);
  bool read_stream(std::uint32_t process, FileHandle& stream, RunOutput& output, std::string* copy);
  void note_end(std::uint32_t process, int status);
  void end_run();

  ProcessStarter& starter_;
  std::vector<FileHandle> listeners_;
  Setup setup_;
  RealCoordinator coordinator_;
  RunOutput output_, errors_;
  std::vector<Process> processes_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<char> buffer_;
  std::chrono::steady_clock::time_point end_of_patience_;
  bool was_interrupted_ = false, is_ending_ = false;
};

}  // namespace rehearse::app
