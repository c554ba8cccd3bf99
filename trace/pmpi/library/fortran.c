// SPDX-License-Identifier: MIT
//
// See fortran.h.
#include "trace/pmpi/library/fortran.h"

enum { requests_room, types_room, other_types_room, indices_room, status_room, fortran_status_room, rooms };
static struct {
  void* blocks[rooms];
  size_t bytes[rooms];
} memory;

static void* room_for(int which, int count, size_t size) {
  const size_t bytes = (size_t)(count > 0 ? count : 1) * size;
  if (bytes > memory.bytes[which]) {
    memory.blocks[which] = rt_grown(memory.blocks[which], bytes);
    memory.bytes[which] = bytes;
  }
  return memory.blocks[which];
}

MPI_Request* rt_requests_from_fortran(const void* handles, int count) {
  MPI_Request* requests = room_for(requests_room, count, sizeof *requests);
  for (int i = 0; i < count; ++i) requests[i] = PMPI_Request_f2c(((const MPI_Fint*)handles)[i]);
  return requests;
}

MPI_Datatype* rt_types_from_fortran(const void* handles, MPI_Comm comm, int slot) {
  int count = 0;
  PMPI_Comm_size(comm, &count);
  MPI_Datatype* types = room_for(types_room + slot, count, sizeof *types);
  if (handles == &mpi_fortran_in_place_) return types;
  for (int i = 0; i < count; ++i) types[i] = PMPI_Type_f2c(((const MPI_Fint*)handles)[i]);
  return types;
}

int* rt_indices_from_fortran(const void* indices, int count) {
  int* result = room_for(indices_room, count, sizeof *result);
  for (int i = 0; i < count; ++i) result[i] = ((const MPI_Fint*)indices)[i] - 1;
  return result;
}

MPI_Status* rt_status_room(int count) { return room_for(status_room, count, sizeof(MPI_Status)); }
void* rt_fortran_status_room(int count) { return room_for(fortran_status_room, count, sizeof(MPI_Status)); }

void rt_statuses_from_fortran(const void* from, MPI_Status* to, int count) {
  const size_t integers = sizeof(MPI_Status) / sizeof(MPI_Fint);  // MPI_STATUS_SIZE
  for (int i = 0; i < count; ++i) PMPI_Status_f2c((const MPI_Fint*)from + (size_t)i * integers, &to[i]);
}
