// SPDX-License-Identifier: MIT
//
// The origin of the calling rank: its MPI_COMM_WORLD, and its parents if other ranks started it (MPI_Comm_spawn).
//
// Ownership: parts of the rank, made from its birth message.
// Source:    MPI 5.0, 11.8.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "smpi/communicator/communicator.hpp"

namespace rehearse::smpi {

// The birth message of a started rank.
struct Birth {
  std::uint64_t world_context = 0;     // of its MPI_COMM_WORLD
  std::uint64_t parent_context = 0;    // of the intercommunicator with its parents
  std::uint32_t first = 0, count = 0;  // the ranks of its MPI_COMM_WORLD
  std::vector<ActorId> parents;        // in the order of their communicator
};
std::vector<std::uint64_t> to_words(const Birth& birth);

// The calling rank's own: whether it has one, and its content.
bool is_started();
Birth own_birth();

// The ranks of the calling rank's MPI_COMM_WORLD.
RankMap world_members();

// At the start of MPI in a started rank: waits until its parents have started all ranks, where libraries do so.
void meet_parents();

}  // namespace rehearse::smpi
