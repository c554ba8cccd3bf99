// SPDX-License-Identifier: MIT
//
// The program `rehearse-ns3` as a child process, and the messages to and from it.
//
// Place:     beside the running program, otherwise on PATH.
// Usage:     add() messages, and ask() for an answer, which sends them first.
// Errors:    start() names the missing program. Later, ask() returns false if the program has ended or its answer makes
//            no sense; problem() then has its last message. No call waits for a program that has ended.
// Ownership: the destructor ends the program. The program also ends when ours does.
// Threads:   none.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>

#include "simcore/ns3/protocol.hpp"
#include "simcore/stop_token.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::ns3 {

class SimulatorProcess {
 public:
  // The program must be ready for these options.
  static Result<std::unique_ptr<SimulatorProcess>> start(const Hello& hello);
  ~SimulatorProcess();
  SimulatorProcess(const SimulatorProcess&) = delete;
  SimulatorProcess& operator=(const SimulatorProcess&) = delete;

  template <class Message>
  void add(const Message& message) {
    append(pending_, message);
    if (pending_.size() > most_pending) send_pending();
  }
  template <class Question, class Answer>
  bool ask(const Question& question, Answer& answer) {
    append(pending_, question);
    send_pending();
    Frame frame;
    while (receive(frame)) {
      if (decode(frame, answer)) return true;
      if (!note(frame)) return false;
    }
    return false;
  }

  // Empty: there is none.
  const std::string& problem() const { return problem_; }
  // After a request, ask() returns without an answer.
  void stop_when(const StopToken& stop) { stop_ = stop; }
  // Gets the dates of the simulation while ask() waits.
  void on_progress(std::function<void(std::int64_t)> call) { on_progress_ = std::move(call); }

 private:
  static constexpr std::size_t most_pending = 1 << 16;

  SimulatorProcess() = default;
  int spawn(const std::string& program);
  void send_pending();
  bool receive(Frame& frame);
  bool wait_for_input();
  bool note(const Frame& frame);  // a message that is no answer; false: a problem
  void end_child();
  std::string last_line() const;

  StopToken stop_;
  int socket_ = -1;
  int output_ = -1;  // of the program, in memory
  pid_t child_ = -1;
  pid_t parent_ = -1;
  std::string pending_;
  std::string received_;
  std::size_t taken_ = 0;  // bytes of received_ that are handled
  std::string problem_;
  std::function<void(std::int64_t)> on_progress_;
};

}  // namespace rehearse::ns3
