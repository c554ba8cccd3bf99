// SPDX-License-Identifier: MIT
//
// The open sessions of the calling rank.
#pragma once

#include "mpi.h"
#include "smpi/handle_registry.hpp"
#include "smpi/info/info.hpp"

namespace rehearse::smpi {

struct Session {
  MPI_Errhandler error_handler = MPI_ERRORS_ARE_FATAL;
  Hints hints;
};

using SessionTable = HandleRegistry<MPI_Session, Session, HandleKind::session>;

struct Sessions {
  SessionTable made;
};

SessionTable& sessions();

}  // namespace rehearse::smpi
