// SPDX-License-Identifier: MIT
//
// The common parts of all calls that make communicators.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "smpi/communicator/communicator.hpp"

namespace rehearse::smpi {

// `context`: see derive_context(); `origin`: for people, "dup of MPI_COMM_WORLD"; `remote`: of an
// intercommunicator.
CommunicatorRef make_communicator(std::uint64_t context, RankMap members, std::string origin,
                                  RankMap remote = RankMap::none());

// Where the members of a group meet that have no communicator yet.
struct Space {
  const char* call;
  std::uint64_t context;
};

// Makes a communicator of these members, of whom the caller is one, without giving it a handle. Errors
// are raised on `comm`.
int synchronise_group(MPI_Comm comm, const Space& space, RankMap members, const std::string& origin,
                      CommunicatorRef& made);

std::uint64_t space_of_group(std::uint64_t start, const std::vector<ActorId>& members);
std::uint64_t space_of_text(const char* text);

}  // namespace rehearse::smpi
