// SPDX-License-Identifier: MIT
//
// Ranks that start while the program runs: what the calling rank can ask for, and what a started rank knows.
//
// Start:  start_ranks() gives the new ranks their program and memory; each of them begins to run when it gets its birth
//         message (simcore/birth.hpp), which the caller sends. While executions are explored, all groups are known from
//         the beginning, and a rank that starts an unknown one fails by name (LaunchSpec::knows_groups).
// Errors: Result: the command cannot be started, in one line. A bound or an unsupported feature ends the rank.
// Source: MPI 5.0, 11.8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "simcore/ids.hpp"
#include "simcore/support/result.hpp"
#include "smpi/spawned_group.hpp"

namespace rehearse::smpi {

struct RankState;

// Starts the group, whose parent is the calling rank. Returns its first rank; the others follow. May end the rank.
Result<std::uint32_t> start_ranks(const SpawnedGroup& group);

// The executable that a command names: with a slash a file (relative to `folder`, if there is one), else a file in one
// of the `path` folders (separated by colons), in the working folder, or in PATH. The error is the reason.
Result<std::string> find_command(const std::string& name, const std::string& folder, const std::string& path);

// Whether ranks can be started on the host of this name. An empty name stands for any host.
bool is_host(const std::string& name);

// The number of ranks for which there is room (MPI_UNIVERSE_SIZE). Not known if ranks may start others on hosts that
// have no free cores.
bool is_universe_known();
std::uint32_t universe_size();

// The birth message of the calling rank; empty: it was there from the beginning. In the rank's memory.
std::span<const std::byte> birth_message();

// The number of ranks of the run that were there from the beginning.
std::uint32_t first_ranks();

// The actor that answers questions about published names. Ends the rank if there is none.
ActorId name_server();

// Sends a birth message, or a message that the rank will not be born (empty), from the calling rank. Takes the number
// of the request.
void send_birth(ActorId to, std::span<const std::byte> message, std::uint32_t request);

// At the end of a rank: tells the ranks that it could have started, and did not, that they will not be born.
void give_up_births(const RankState& rank);

// The first act of a started rank: waits for its birth message. Ends the rank if it will not be born.
void await_birth(RankState& rank);

}  // namespace rehearse::smpi
