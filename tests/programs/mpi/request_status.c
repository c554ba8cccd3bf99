// SPDX-License-Identifier: MIT
//
// Asking about several requests without completing them; the fields of a status.
// ranks: 2
#include <assert.h>
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, data[3] = {0}, flag, index, count, indices[3], value;
  MPI_Request requests[3];
  MPI_Status status, statuses[3];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request_get_status_all(0, requests, &flag, MPI_STATUSES_IGNORE);
  assert(flag);
  if (rank == 0) {
    for (int i = 0; i < 3; ++i) MPI_Irecv(data + i, 1, MPI_INT, 1, i, MPI_COMM_WORLD, requests + i);
    MPI_Request_get_status_any(3, requests, &index, &flag, &status);
    assert(!flag);
    MPI_Request_get_status_some(3, requests, &count, indices, statuses);
    assert(count == 0);
    MPI_Send(0, 0, MPI_INT, 1, 9, MPI_COMM_WORLD);
    for (flag = 0; !flag;) MPI_Request_get_status_all(3, requests, &flag, statuses);
    assert(statuses[2].MPI_TAG == 2 && requests[2] != MPI_REQUEST_NULL);
    MPI_Request_get_status_any(3, requests, &index, &flag, &status);
    assert(flag && 0 <= index && index < 3 && status.MPI_TAG == index);
    MPI_Request_get_status_some(3, requests, &count, indices, statuses);
    assert(count == 3 && indices[1] == 1 && statuses[1].MPI_TAG == 1);
    MPI_Waitall(3, requests, statuses);
    assert(data[0] == 10 && data[1] == 11 && data[2] == 12);
    MPI_Request_get_status_some(3, requests, &count, indices, statuses);
    assert(count == MPI_UNDEFINED);
    MPI_Request_get_status_any(3, requests, &index, &flag, &status);
    assert(flag && index == MPI_UNDEFINED);
  } else {
    MPI_Recv(0, 0, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 2; i >= 0; --i) {
      data[0] = 10 + i;
      MPI_Send(data, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    }
  }
  MPI_Status_set_source(&status, 4);
  MPI_Status_set_tag(&status, 5);
  MPI_Status_set_error(&status, MPI_ERR_OTHER);
  MPI_Status_set_cancelled(&status, 1);
  assert(status.MPI_SOURCE == 4 && status.MPI_TAG == 5 && status.MPI_ERROR == MPI_ERR_OTHER);
  MPI_Status_get_source(&status, &value);
  assert(value == 4);
  MPI_Status_get_tag(&status, &value);
  assert(value == 5);
  MPI_Status_get_error(&status, &value);
  assert(value == MPI_ERR_OTHER);
  MPI_Test_cancelled(&status, &value);
  assert(value);
  MPI_Finalize();
  return 0;
}
