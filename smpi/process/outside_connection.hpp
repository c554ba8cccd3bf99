// SPDX-License-Identifier: MIT
//
// Connections of a checked program to addresses at which no rank listens.
//
// Errors: the rank fails with unsupported.function if the connection could be made: it cannot be explored.
#pragma once

#include "smpi/process/socket_names.hpp"

namespace rehearse::smpi {

// The result of connect(), with errno. Of a program in which no rank can listen: if the kernel refuses the connection,
// so does the check. A connection that is made, or that takes time, fails the rank.
int connect_outside(int family, const SocketName& to);
[[noreturn]] int refuse_outside();

}  // namespace rehearse::smpi
