// SPDX-License-Identifier: MIT
//
// Generalized requests: the program completes them, fills their status and frees what they hold.
// ranks: 1
// executions: 1
#include <assert.h>
#include <mpi.h>

static int freed, cancelled;

static int query(void* extra, MPI_Status* status) {
  MPI_Status_set_elements(status, MPI_INT, *(int*)extra);
  MPI_Status_set_cancelled(status, cancelled);
  status->MPI_SOURCE = 5;
  status->MPI_TAG = 6;
  return MPI_SUCCESS;
}

static int release(void* extra) {
  freed += *(int*)extra;
  return MPI_SUCCESS;
}

static int cancel(void* extra, int complete) {
  (void)extra;
  cancelled = !complete;
  return MPI_SUCCESS;
}

int main(int argc, char** argv) {
  int size = 3, flag, count;
  MPI_Request request, copy;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Grequest_start(query, release, cancel, &size, &request);
  MPI_Test(&request, &flag, &status);
  assert(!flag);
  MPI_Grequest_complete(request);
  MPI_Request_get_status(request, &flag, &status);
  assert(flag && freed == 0);
  MPI_Wait(&request, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  assert(count == 3 && status.MPI_SOURCE == 5 && status.MPI_TAG == 6 && freed == 3 && request == MPI_REQUEST_NULL);
  MPI_Grequest_start(query, release, cancel, &size, &request);
  copy = request;
  MPI_Request_free(&request);
  assert(freed == 3);
  MPI_Grequest_complete(copy);
  assert(freed == 6);
  MPI_Finalize();
  return 0;
}
