// SPDX-License-Identifier: MIT
//
// The content of a status, and its layout after the three fields that the program sees.
//
// Layout: MPI_internal[0..1] the number of bytes, low word first; [2] whether the operation was cancelled: 1 yes, 0 no,
//         2 unknown.
#pragma once

#include "mpi.h"

namespace rehearse::smpi {

// How an operation ended.
struct Ending {
  int source = MPI_ANY_SOURCE;
  int tag = MPI_ANY_TAG;
  MPI_Count bytes = 0;
  bool cancelled = false;
  bool may_be_cancelled = false;  // a send: whether it was cancelled is unknown
};

// Writes all fields except MPI_ERROR, which only calls on several requests set. Does nothing for MPI_STATUS_IGNORE.
void write_status(MPI_Status* status, const Ending& ending);

// Writes an empty status in the sense of MPI: no source, no tag, no data, and no error.
inline void write_empty_status(MPI_Status* status) {
  write_status(status, Ending{});
  if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = MPI_SUCCESS;
}

MPI_Count bytes_in(const MPI_Status& status);

// The i-th of an array of statuses, or MPI_STATUS_IGNORE if they are ignored.
inline MPI_Status* status_at(MPI_Status* statuses, int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + i;
}

}  // namespace rehearse::smpi
