// SPDX-License-Identifier: MIT
//
// What all calls that make communicators share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "smpi/communicator/communicator.hpp"

namespace rehearse::smpi {

// `context`: see derive_context(); `origin`: for people, "dup of MPI_COMM_WORLD"; `remote`: of an
// intercommunicator.
CommunicatorRef make_communicator(std::uint64_t context, std::vector<ActorId> members,
                                  std::string origin, std::vector<ActorId> remote = {});

}  // namespace rehearse::smpi
