// SPDX-License-Identifier: MIT
//
// The start of MPI, and the queries that are permitted at any time.
//
// Threads: MPI_THREAD_MULTIPLE is provided by drivers that wait for several threads of a rank
//          (smpi/process/thread_waits.hpp), and by explorations that follow the threads (thread_order.hpp); by others
//          MPI_THREAD_SERIALIZED.
#include <algorithm>
#include <string>

#include "simcore/support/format.hpp"
#include "smpi/abi/api.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/communicator/parent.hpp"
#include "smpi/error.hpp"
#include "smpi/failure/failures.hpp"
#include "smpi/library.hpp"
#include "smpi/process/rank_threads.hpp"
#include "smpi/process/thread_order.hpp"
#include "smpi/process/thread_waits.hpp"
#include "smpi/thread_level.hpp"

namespace rehearse::smpi {
namespace {

int start(int thread_level) {
  Library& mpi = library();
  if (mpi.phase == Phase::running) misuse("lifecycle.initialized_twice", "MPI is initialized already");
  if (mpi.phase == Phase::finalized)
    misuse("lifecycle.finalized", "MPI cannot be initialized again after MPI_Finalize");
  mpi.phase = Phase::running;
  mpi.thread_level = thread_level;
  note_start_of_mpi();
  meet_parents();
  if (const FailurePlan& plan = failure_plan(); plan.is_possible() || plan.may_revoke) {
    mpi.failures = new Failures(plan);
    mpi.failures->begin();
  }
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Init(int*, char***) { return start(MPI_THREAD_SINGLE); }

int Init_thread(int*, char***, int required, int* provided) {
  // There is no error handler yet.
  if (find_constant(Kind::thread_level, required) == nullptr)
    misuse("argument.value", fmt::format("the level {} is none of MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, "
                                         "MPI_THREAD_SERIALIZED and MPI_THREAD_MULTIPLE",
                                         required));
  if (provided == nullptr) misuse("argument.value", "provided is a null pointer");
  *provided = std::min(required, highest_thread_level());
  note_thread_level(required, *provided);
  const int error = start(*provided);
  if (error == MPI_SUCCESS && *provided == MPI_THREAD_MULTIPLE && !can_follow_threads()) let_threads_wait_apart();
  return error;
}

int Initialized(int* flag) {
  *flag = library().phase != Phase::before_init ? 1 : 0;
  return MPI_SUCCESS;
}

int Finalized(int* flag) {
  *flag = library().phase == Phase::finalized ? 1 : 0;
  return MPI_SUCCESS;
}

int Query_thread(int* provided) {
  Arguments check;
  check.pointer(provided, "provided");
  if (!check.failed()) *provided = library().thread_level;
  return check.error();
}

}  // namespace rehearse::smpi::calls
