// SPDX-License-Identifier: MIT
//
// The common parts of all calls that create communicators.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "smpi/communicator/communicator.hpp"

namespace rehearse::smpi {

// `context`: see derive_context(); `origin`: text for reports, "dup of MPI_COMM_WORLD"; `remote`: of an
// intercommunicator.
CommunicatorRef make_communicator(std::uint64_t context, RankMap members, std::string origin,
                                  RankMap remote = RankMap::none());

// The context in which the members of a group match before they have a communicator.
struct Space {
  const char* call;
  std::uint64_t context;
};

// Creates a communicator of these members, one of which is the caller. The communicator has no handle yet. Errors are
// raised on `comm`.
int synchronise_group(MPI_Comm comm, const Space& space, RankMap members, const std::string& origin,
                      CommunicatorRef& made);

std::uint64_t space_of_group(std::uint64_t start, const std::vector<ActorId>& members);
std::uint64_t space_of_text(const char* text);

}  // namespace rehearse::smpi
