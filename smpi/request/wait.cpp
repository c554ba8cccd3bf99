// SPDX-License-Identifier: MIT
//
// The calls that wait for requests.
//
// Choice: MPI_Waitany and MPI_Waitsome may complete any request that can be complete. If one is already complete (an
//         operation with MPI_PROC_NULL), the driver is still asked about the others, without blocking, so that it can
//         also choose them.
#include "smpi/abi/calls.hpp"
#include "smpi/p2p/status.hpp"
#include "smpi/request/multiple.hpp"
#include "smpi/request/request_set.hpp"

namespace rehearse::smpi::calls {

int Wait(MPI_Request* request, MPI_Status* status) {
  RequestSet set(1, request);
  if (set.error() != MPI_SUCCESS) return set.error();
  if (set.none_active()) {
    write_empty_status(status);
    return MPI_SUCCESS;
  }
  if (set.some_pending()) set.observe(Quantifier::all, true);
  set.conclude(0, status);
  return set.finish();
}

int Waitall(int count, MPI_Request array_of_requests[], MPI_Status* array_of_statuses) {
  RequestSet set(count, array_of_requests);
  if (set.error() != MPI_SUCCESS) return set.error();
  if (set.some_pending()) set.observe(Quantifier::all, true);
  return conclude_all(set, count, array_of_statuses);
}

int Waitany(int count, MPI_Request array_of_requests[], int* index, MPI_Status* status) {
  RequestSet set(count, array_of_requests);
  if (set.error() != MPI_SUCCESS) return set.error();
  if (set.none_active()) {
    *index = MPI_UNDEFINED;
    write_empty_status(status);
    return MPI_SUCCESS;
  }
  return conclude_one(set, *observe_one(set, true), index, status);
}

int Waitsome(int incount, MPI_Request array_of_requests[], int* outcount, int array_of_indices[],
             MPI_Status array_of_statuses[]) {
  RequestSet set(incount, array_of_requests);
  if (set.error() != MPI_SUCCESS) return set.error();
  if (set.none_active()) {
    *outcount = MPI_UNDEFINED;
    return MPI_SUCCESS;
  }
  if (set.some_pending()) set.observe(Quantifier::some, set.complete().empty());
  return conclude_some(set, outcount, array_of_indices, array_of_statuses);
}

}  // namespace rehearse::smpi::calls
