// SPDX-License-Identifier: MIT
//
// The messages that matched probes of the rank have taken and that are not received yet.
#pragma once

#include <cstdint>

#include "mpi.h"
#include "smpi/communicator/communicator.hpp"
#include "smpi/handle_registry.hpp"

namespace rehearse::smpi {

struct TakenMessage {
  std::uint32_t number = 0;  // among all messages that the rank took: see Post::taken
  CommunicatorRef communicator;
  int source = MPI_PROC_NULL;
  int tag = 0;
};

struct TakenMessages {
  HandleRegistry<MPI_Message, TakenMessage, HandleKind::message> live;
  std::uint32_t count = 0;
};

// Of the calling rank.
TakenMessages& taken_messages();

}  // namespace rehearse::smpi
