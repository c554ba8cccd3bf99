// SPDX-License-Identifier: MIT
//
// Ctrl-C: the first one requests an early end with a report, the second one ends the process.
//
// Threads: one at a time per process.
#pragma once

#include "simcore/stop_token.hpp"

namespace rehearse::cli {

class Interrupt {
 public:
  Interrupt();   // from now on, the first SIGINT or SIGTERM is only recorded
  ~Interrupt();  // restores the earlier behaviour
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  StopToken stop() const;  // requests a stop from the first signal on
};

}  // namespace rehearse::cli
