// SPDX-License-Identifier: MIT
//
// poll() and select() of a rank. Sockets between ranks are ready as sockets.hpp says; other files as the kernel says.
//
// Time:   a wait for one of several files looks again after 1 us of simulated time, then after longer and longer times
//         up to 1 ms. A wait for one socket alone, without a limit, is a wait for its message.
// Errors: as the system calls. What cannot be explored ends the rank by name.
#pragma once

#include <poll.h>
#include <sys/select.h>

#include <cstdint>
#include <limits>

namespace rehearse::smpi {

inline constexpr double no_limit = std::numeric_limits<double>::infinity();
inline constexpr std::int64_t shortest_pause_ns = 1000, longest_pause_ns = 1'000'000;  // between two looks

int poll_files(pollfd* files, nfds_t count, double seconds);
int select_files(int count, fd_set* read, fd_set* write, fd_set* except, double seconds);

}  // namespace rehearse::smpi
