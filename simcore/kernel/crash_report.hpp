// SPDX-License-Identifier: MIT
//
// Reports the signal that ends this process, and the actor that ran, before the process ends by it.
//
// Threads: handlers of signals belong to the process.
#pragma once

namespace rehearse::sim::kernel {

// From now on: sends a MessageKind::crashed over the socket, which must stay open. Signals that the program handles
// itself are not reported.
void report_crashes_to(int socket);

}  // namespace rehearse::sim::kernel
