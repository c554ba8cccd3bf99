// SPDX-License-Identifier: MIT
//
// The requests of one completing call (MPI_Wait*, MPI_Test*), sorted by what has to be done about
// them.
#pragma once

#include <vector>

#include "mpi.h"
#include "simcore/ids.hpp"
#include "simcore/operation.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {

class RequestSet {
 public:
  // `count` handles of the program; they are read and, by conclude(), written.
  RequestSet(int count, MPI_Request* handles);

  // Not MPI_SUCCESS: the arguments were wrong; raised already.
  int error() const { return error_; }

  // No handle is of an active request: there is nothing to wait for.
  bool none_active() const { return positions_.empty() && complete_.empty(); }
  bool some_pending() const { return !positions_.empty(); }

  // Positions of the requests that are complete and not concluded, ascending.
  const std::vector<int>& complete() const { return complete_; }

  // Asks about the pending ones (there are some) and completes those that the driver names. Returns
  // its flag.
  bool observe(Quantifier quantifier, bool blocking);
  // Positions of those that the last observe() completed.
  const std::vector<int>& observed() const { return observed_; }

  // Concludes the request at this position. Returns its error class and keeps the first one that
  // was not MPI_SUCCESS.
  int conclude(int position, MPI_Status* status);

  // Raises the first error that conclude() met, as `error_class` if that is not MPI_SUCCESS, and
  // returns what the call returns.
  int finish(int error_class = MPI_SUCCESS);

 private:
  MPI_Request* handles_;
  int error_ = MPI_SUCCESS;
  std::vector<RequestId> ids_;  // of the pending ones
  std::vector<int> positions_;  // parallel to ids_
  std::vector<int> complete_;
  std::vector<int> observed_;
  Trouble first_trouble_;
  MPI_Comm first_communicator_ = MPI_COMM_NULL;
};

}  // namespace rehearse::smpi
