// SPDX-License-Identifier: MIT
//
// The requests of one completing call (MPI_Wait*, MPI_Test*), sorted by the necessary action.
#pragma once

#include <array>
#include <cstddef>
#include <memory_resource>
#include <span>
#include <vector>

#include "mpi.h"
#include "simcore/ids.hpp"
#include "simcore/operation.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {

class Failures;
struct Interruption;

class RequestSet {
 public:
  // `count` handles of the program; they are read and, by conclude(), written. `completes`: the call may complete them.
  RequestSet(int count, MPI_Request* handles, bool completes = true);
  RequestSet(const RequestSet&) = delete;
  RequestSet& operator=(const RequestSet&) = delete;

  // Not MPI_SUCCESS: the arguments are wrong, and the error has been raised.
  int error() const { return error_; }

  // Whether no handle belongs to an active request, so that there is nothing to wait for.
  bool none_active() const { return !some_pending() && complete_.empty(); }
  bool some_pending() const { return !ids_.empty() || !awaiting_.empty(); }

  // Positions of the requests that are complete and not concluded, ascending.
  const std::pmr::vector<int>& complete() const { return complete_; }

  // Asks the driver about the pending requests (there is at least one) and completes those that the driver names.
  // Returns whether enough requests for the quantifier are complete. Ends the rank if it would wait for an action of
  // the rank itself.
  bool observe(Quantifier quantifier, bool blocking);
  // Positions of the requests that the last observe() completed.
  const std::pmr::vector<int>& observed() const { return observed_; }

  // Concludes the request at this position. Returns its error class and keeps the first one that
  // was not MPI_SUCCESS.
  int conclude(int position, MPI_Status* status);

  // Writes the status of the complete request at this position. Does not change the request.
  int peek(int position, MPI_Status* status);

  // Raises the first error of conclude(), as `error_class` if that is not MPI_SUCCESS. Returns the result of the MPI
  // call.
  int finish(int error_class = MPI_SUCCESS);

 private:
  // The lists of a set of a few requests are on the stack.
  std::array<std::byte, 256> space_;
  std::pmr::monotonic_buffer_resource memory_{space_.data(), space_.size()};

  MPI_Request* handles_;
  int count_;
  int error_ = MPI_SUCCESS;
  // The meaning of an id: the request at a position, or a piece of it.
  struct Place {
    int position = 0;
    int piece = whole;
  };
  static constexpr int whole = -1;

  bool observe_once(Quantifier quantifier, bool blocking);
  // The same if processes can fail (fallible_waits.cpp).
  bool observe_fallibly(Failures& known, Quantifier quantifier, bool blocking);
  bool ask_fallibly(Failures& known, std::size_t count, Quantifier quantifier, bool blocking);
  void interrupt(int position, const Interruption& why);
  void keep_observed();
  bool observe_actions(Quantifier quantifier);
  void take_actions();
  std::vector<int> pending_positions() const;
  void add_pending(int position, const Request& request);
  void take(const Completion& completion);
  void start_followers();
  void forget(std::span<const Completion> completions);

  std::pmr::vector<RequestId> ids_{&memory_};  // of the pending requests
  std::pmr::vector<Place> places_{&memory_};   // parallel to ids_
  std::pmr::vector<int> awaiting_{&memory_};   // pending, but unknown to the driver
  std::pmr::vector<int> complete_{&memory_};
  std::pmr::vector<int> observed_{&memory_};
  std::pmr::vector<int> to_follow_{&memory_};  // requests whose remaining messages must be started
  Trouble first_trouble_;
  MPI_Comm first_communicator_ = MPI_COMM_NULL;
};

}  // namespace rehearse::smpi
