// SPDX-License-Identifier: MIT
//
// Runs work that may be the death of its process in a process of its own, so that there is somebody left to say so.
//
// Signals: SIGINT and SIGTERM are the child's business; those that were sent to this process alone are passed on.
// Threads: one at a time per process, and no other threads.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace rehearse::app {

struct Ending {
  std::optional<int> status;  // none: it died
  std::string how;            // then: "by signal 11 (Segmentation fault)"
};

// The child does not outlive this process. An assertion of ours that failed (status 70) counts as death.
Ending run_isolated(const std::function<int()>& work);

}  // namespace rehearse::app
