// SPDX-License-Identifier: MIT
//
// Work in several child processes at a time, each of which returns one text. The work may crash, hang or exhaust the
// memory.
//
// Input:   each child reads standard input from where it stands now, if it is a file. Of anything else, only a child
//          with the streams of this process can read it.
// Signals: children keep the handlers of this process. A signal of the terminal reaches them as well.
// Threads: one at a time per process, and no other threads.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "simcore/stop_token.hpp"

namespace rehearse::app {

class IsolatedPool {
 public:
  enum class Streams : std::uint8_t { none, of_this_process };  // none: output and errors of the child are dropped

  struct Ended {
    std::size_t number = 0;
    std::string text;   // what it returned; not complete if it died
    std::string death;  // "by signal 11 (Segmentation fault)"; empty: it returned
  };

  IsolatedPool();
  ~IsolatedPool();  // kills the children that have not ended
  IsolatedPool(const IsolatedPool&) = delete;
  IsolatedPool& operator=(const IsolatedPool&) = delete;

  // Starts a child. False: the system has no process or pipe for it.
  bool start(std::size_t number, Streams streams, const std::function<std::string()>& work);

  const std::vector<std::size_t>& running() const { return numbers_; }

  // Waits until a child ends. None: a stop was requested before, or no child runs.
  std::optional<Ended> wait(const StopToken& stop);

  // Sends SIGTERM to the children.
  void request_end();

 private:
  struct Child {
    pid_t process;
    int from;  // the end of a pipe
    std::string text;
  };
  Ended take_end(std::size_t index);

  long input_offset_ = -1;            // of standard input; -1: it is no file
  std::vector<std::size_t> numbers_;  // of the children
  std::vector<Child> children_;       // likewise
};

}  // namespace rehearse::app
