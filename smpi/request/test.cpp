// SPDX-License-Identifier: MIT
//
// The calls that test whether requests are complete.
//
// Choice: the driver may answer "not complete" even if an operation can be complete, because the message may still be
//         on its way.
#include "smpi/abi/calls.hpp"
#include "smpi/p2p/status.hpp"
#include "smpi/request/multiple.hpp"
#include "smpi/request/request.hpp"
#include "smpi/request/request_set.hpp"

namespace rehearse::smpi::calls {

int Test(MPI_Request* request, int* flag, MPI_Status* status) {
  RequestSet set(1, request);
  if (set.error() != MPI_SUCCESS) return set.error();
  *flag = 1;
  if (set.none_active()) {
    write_empty_status(status);
    return MPI_SUCCESS;
  }
  if (set.some_pending() && !set.observe(Quantifier::all, false)) {
    *flag = 0;
    return MPI_SUCCESS;
  }
  set.conclude(0, status);
  return set.finish();
}

int Testall(int count, MPI_Request array_of_requests[], int* flag, MPI_Status array_of_statuses[]) {
  RequestSet set(count, array_of_requests);
  if (set.error() != MPI_SUCCESS) return set.error();
  *flag = !set.some_pending() || set.observe(Quantifier::all, false) ? 1 : 0;
  return *flag != 0 ? conclude_all(set, count, array_of_statuses) : MPI_SUCCESS;
}

int Testany(int count, MPI_Request array_of_requests[], int* index, int* flag, MPI_Status* status) {
  RequestSet set(count, array_of_requests);
  if (set.error() != MPI_SUCCESS) return set.error();
  *index = MPI_UNDEFINED;
  *flag = 1;
  if (set.none_active()) {
    write_empty_status(status);
    return MPI_SUCCESS;
  }
  const std::optional<int> position = observe_one(set, false);
  if (position) return conclude_one(set, *position, index, status);
  *flag = 0;
  return MPI_SUCCESS;
}

int Testsome(int incount, MPI_Request array_of_requests[], int* outcount, int array_of_indices[],
             MPI_Status array_of_statuses[]) {
  RequestSet set(incount, array_of_requests);
  if (set.error() != MPI_SUCCESS) return set.error();
  if (set.none_active()) {
    *outcount = MPI_UNDEFINED;
    return MPI_SUCCESS;
  }
  if (set.some_pending()) set.observe(Quantifier::some, false);
  return conclude_some(set, outcount, array_of_indices, array_of_statuses);
}

int Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  RequestSet set(1, &request, false);
  if (set.error() != MPI_SUCCESS) return set.error();
  *flag = 1;
  if (set.none_active()) {
    write_empty_status(status);
    return MPI_SUCCESS;
  }
  if (set.some_pending() && !set.observe(Quantifier::all, false)) {
    *flag = 0;
    return MPI_SUCCESS;
  }
  return set.peek(0, status);
}

int Request_get_status_all(int count, const MPI_Request array_of_requests[], int* flag,
                           MPI_Status array_of_statuses[]) {
  RequestSet set(count, const_cast<MPI_Request*>(array_of_requests), false);
  if (set.error() != MPI_SUCCESS) return set.error();
  *flag = !set.some_pending() || set.observe(Quantifier::all, false) ? 1 : 0;
  if (*flag == 0) return MPI_SUCCESS;
  for (int i = 0; i < count; ++i) write_empty_status(status_at(array_of_statuses, i));
  for (const int position : set.complete()) {
    const int error = set.peek(position, status_at(array_of_statuses, position));
    if (error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

int Request_get_status_any(int count, const MPI_Request array_of_requests[], int* index, int* flag,
                           MPI_Status* status) {
  RequestSet set(count, const_cast<MPI_Request*>(array_of_requests), false);
  if (set.error() != MPI_SUCCESS) return set.error();
  *index = MPI_UNDEFINED;
  *flag = 1;
  if (set.none_active()) {
    write_empty_status(status);
    return MPI_SUCCESS;
  }
  const std::optional<int> position = observe_one(set, false);
  *flag = position ? 1 : 0;
  if (!position) return MPI_SUCCESS;
  *index = *position;
  return set.peek(*position, status);
}

int Request_get_status_some(int incount, const MPI_Request array_of_requests[], int* outcount, int array_of_indices[],
                            MPI_Status array_of_statuses[]) {
  RequestSet set(incount, const_cast<MPI_Request*>(array_of_requests), false);
  if (set.error() != MPI_SUCCESS) return set.error();
  if (set.none_active()) {
    *outcount = MPI_UNDEFINED;
    return MPI_SUCCESS;
  }
  if (set.some_pending()) set.observe(Quantifier::some, false);
  *outcount = 0;
  for (const int position : set.complete()) {
    array_of_indices[*outcount] = position;
    const int error = set.peek(position, status_at(array_of_statuses, (*outcount)++));
    if (error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
