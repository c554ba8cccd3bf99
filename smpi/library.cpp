// SPDX-License-Identifier: MIT
//
// See library.hpp.
#include "smpi/library.hpp"

#include "smpi/error.hpp"
#include "smpi/per_rank.hpp"

namespace rehearse::smpi {

Library& library() { return per_rank<Library>(); }

void require_running() {
  if (library().open_sessions > 0) return;
  switch (library().phase) {
    case Phase::running:
      return;
    case Phase::before_init:
      misuse("lifecycle.not_initialized", "this function must not be called before MPI_Init");
    case Phase::finalized:
      misuse("lifecycle.finalized", "this function must not be called after MPI_Finalize");
  }
}

}  // namespace rehearse::smpi
