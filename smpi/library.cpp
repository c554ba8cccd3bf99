// SPDX-License-Identifier: MIT
//
// See library.hpp.
#include "smpi/library.hpp"

#include "smpi/error.hpp"

namespace rehearse::smpi {

void refuse_call(Phase phase) {
  if (phase == Phase::before_init)
    misuse("lifecycle.not_initialized", "this function must not be called before MPI_Init");
  misuse("lifecycle.finalized", "this function must not be called after MPI_Finalize");
}

}  // namespace rehearse::smpi
