// SPDX-License-Identifier: MIT
//
// The warden's own side: namespaces, devices, and the programs that it starts.
//
// Protocol: it first sends a message with one file for each host, or words that say what failed. Then it accepts
//           `spawn ID HOST SESSION FOLDER COUNT WORD... NAME=VALUE...` with three files, `signal ID NUMBER`,
//           `signal all NUMBER` and `drops`; it sends `ended ID STATUS`, `failed ID TEXT` and `drops COUNT...`.
#pragma once

#include "app/attach/warden.hpp"

namespace rehearse::app {

struct WardenIdentity {
  pid_t parent = 0;
  uid_t user = 0;  // outside of the user namespace
  gid_t group = 0;
  bool has_user_namespace = false;
};

// Ends the process.
[[noreturn]] void be_warden(const WardenSetup& setup, const WardenIdentity& identity, int channel);

}  // namespace rehearse::app
