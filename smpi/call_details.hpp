// SPDX-License-Identifier: MIT
//
// Details of a rank's current MPI call in reports: the places where the awaited requests were started, the numbering of
// ranks in communicators, and the arguments that must be equal on all members.
//
// Threads: only on a rank. Nothing here changes the rank's memory.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "simcore/operation.hpp"
#include "simcore/program.hpp"
#include "smpi/handle_registry.hpp"

namespace rehearse::smpi {

struct StartedCall {
  RequestId request;
  CreationSite site;  // of a persistent request: of the call that made it
};

struct CallDetails {
  std::vector<StartedCall> requests;  // requests of the operation that an earlier call started
  std::vector<Numbering> numberings;  // of the communicators that the call and these requests are on
  std::vector<std::pair<std::string, std::string>> common_arguments;  // see CallDescription
};

// The details of the calling rank, which is paused at this operation.
CallDetails call_details(const Operation& operation);

// A number of simcore/signature_number.hpp in MPI terms: "MPI_SUM", "4 MPI_INT, 1 MPI_DOUBLE".
SignatureText spell_signature(std::uint64_t signature);

}  // namespace rehearse::smpi
