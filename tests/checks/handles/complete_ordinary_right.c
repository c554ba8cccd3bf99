// SPDX-License-Identifier: MIT
//
// An operation of the program's own is completed by it.
// check: none
#include <mpi.h>
#include <stddef.h>

static int query(void* state, MPI_Status* status) {
  (void)state;
  MPI_Status_set_elements(status, MPI_INT, 0);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
static int release(void* state) { return (void)state, MPI_SUCCESS; }
static int cancel(void* state, int done) { return (void)state, (void)done, MPI_SUCCESS; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Request own;
  MPI_Grequest_start(query, release, cancel, NULL, &own);
  MPI_Grequest_complete(own);
  MPI_Wait(&own, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
