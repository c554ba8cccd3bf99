// SPDX-License-Identifier: MIT
//
// Runs work that may kill its process in a child process, so that the parent can report it.
//
// Signals: the child handles SIGINT and SIGTERM; signals that only this process got are forwarded.
// Threads: one at a time per process, and no other threads.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace rehearse::app {

struct Ending {
  std::optional<int> status;  // none: it died, see `how`
  std::string how;            // "by signal 11 (Segmentation fault)"
};

// The child does not outlive this process. A failed assertion of Rehearse (status 70) counts as death.
Ending run_isolated(const std::function<int()>& work);

}  // namespace rehearse::app
