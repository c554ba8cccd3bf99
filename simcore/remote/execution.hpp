// SPDX-License-Identifier: MIT
//
// Points of an execution of a driven program, and the copy of its process that comes to them.
//
// Ownership: the copy ends with the process.
// Threads:   none.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "simcore/remote/driven_process.hpp"
#include "simcore/remote/reports.hpp"

namespace rehearse::remote {

// The state after a list of choices.
struct Point {
  enum class Kind : std::uint8_t {
    choice,   // `state`
    stopped,  // `stop`
    crashed,  // by `status`, with `crash` if it could be reported
    ended,    // with `status`
    refused,  // `text`
    late,     // the step took too long
    given_up,
  } kind = Kind::choice;
  State state;  // of kind choice; otherwise its date is the last known one
  Stop stop;
  std::optional<CrashNotice> crash;
  int status = 0;  // of waitpid()
  std::string text;
};

class Execution {
 public:
  // The process has got its orders; returns when it waits for more. The value: the name of its platform. The error says
  // why it does not.
  static Result<std::string> await_server(DrivenProcess& process);

  explicit Execution(DrivenProcess& process) : process_(process) {}
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  // Comes to the point after these choices: from the present one if it is on the way, otherwise from the beginning.
  // Fails if the step takes longer than `seconds`.
  Point go_to(std::span<const std::uint32_t> choices, double seconds, const StopToken& stop);

  bool is_at(std::span<const std::uint32_t> choices) const;
  // The choices at the present point in words; it must be a choice.
  std::vector<std::string> texts();

  void leave();  // ends the copy

  // From now on: gets the bodies of MessageKind::event.
  void set_events(std::function<void(const std::string&)> events) { events_ = std::move(events); }

 private:
  Point receive_point(double seconds, const StopToken& stop);

  DrivenProcess& process_;
  bool lives_ = false;    // the copy exists
  bool waits_ = false;    // it waits at a choice
  bool listens_ = false;  // it waits for an order
  pid_t copy_ = -1;
  std::vector<std::uint32_t> made_;
  TimePoint now_;
  std::function<void(const std::string&)> events_;
};

}  // namespace rehearse::remote
