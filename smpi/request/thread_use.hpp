// SPDX-License-Identifier: MIT
//
// One request, or one communicator of collectives, in calls of two threads at once. Only threads that wait apart can
// meet there (smpi/process/thread_waits.hpp); for other ranks nothing here does anything.
//
// Errors: the second thread ends the rank: thread.request, thread.collective.
// Source: MPI 4.1, 11.6.1 (General), multiple threads that complete the same request; 6.14, collectives.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "mpi.h"
#include "smpi/handle_registry.hpp"

namespace rehearse::smpi {

class Communicator;
struct Request;

// A call of a thread that lasts.
struct ThreadUse {
  // flush: of the window of an access, which completes its request, too. poll: a test, or MPI_Parrived, which returns
  // later than it would without the simulation.
  enum class Kind : std::uint8_t { wait, flush, poll };
  std::uint32_t thread = 0;
  CreationSite call;
  Kind kind = Kind::wait;
};

// The running thread is about to complete or free the request.
void check_thread_use(const Request& request);
// It asks about the request, or cancels it. That is legal while another thread waits for it or tests it, but not
// supported: ends the rank by name.
void refuse_if_waited(const Request& request);
// The same, but other threads may test it, too: for MPI_Parrived, which completes parts of the request only.
void refuse_unless_polled(const Request& request);

// While it exists, the running thread waits for these requests, or tests them. If several threads test one request, the
// first one is noted.
class WaitingUse {
 public:
  explicit WaitingUse(std::span<MPI_Request> handles, ThreadUse::Kind kind = ThreadUse::Kind::wait);
  ~WaitingUse();
  WaitingUse(const WaitingUse&) = delete;
  WaitingUse& operator=(const WaitingUse&) = delete;

 private:
  void set(const std::optional<ThreadUse>& use);

  std::span<MPI_Request> handles_;
  bool is_noted_ = false;
};

// While it exists, the running thread is in a collective of the communicator.
class CollectiveUse {
 public:
  explicit CollectiveUse(const Communicator& communicator);
  ~CollectiveUse();
  CollectiveUse(const CollectiveUse&) = delete;
  CollectiveUse& operator=(const CollectiveUse&) = delete;

 private:
  const Communicator* noted_ = nullptr;
};

}  // namespace rehearse::smpi
