// SPDX-License-Identifier: MIT
//
// The end of MPI: each rank reports the objects that its program did not free.
//
// Source: MPI 5.0, 11.2 (attributes of MPI_COMM_SELF are deleted first, as MPI's at-exit
//         functions).
#include <string>

#include "simcore/actor.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/buffers/pending.hpp"
#include "smpi/communicator/attributes.hpp"
#include "smpi/communicator/parent.hpp"
#include "smpi/environment/leaks.hpp"
#include "smpi/error.hpp"
#include "smpi/failure/failures.hpp"
#include "smpi/library.hpp"
#include "smpi/p2p/buffered.hpp"
#include "smpi/request/withheld.hpp"
#include "smpi/thread_level.hpp"

namespace rehearse::smpi {
namespace {

constexpr ContextId finalize_context{6};

void meet_all() {
  const Communicator& world = *communicators().world();
  Collective collective;
  collective.request = {library().next_request};  // not taken from the counter, because explorers ignore this operation
  collective.context = is_started() ? ContextId{derive_context(world.context(), ~std::uint64_t{2}, 7)}
                                    : finalize_context;
  collective.members = world.members();
  collective.name = "MPI_Finalize";
  collective.flow = Flow::nobody;
  ask(collective);
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Finalize() {
  require_running();
  if (Failures* known = failures()) known->last_point();
  report_received();
  delete_attributes(*communicators().self());
  delete_attributes(*communicators().world());
  if (!failure_plan().is_possible()) meet_all();  // nobody waits there for ranks that failed
  check_pending_buffers();
  check_attached_buffers();
  report_leaks();
  library().phase = Phase::finalized;
  return MPI_SUCCESS;
}

// Ends this rank for any communicator. The driver ends the run when one rank aborts.
int Abort(MPI_Comm comm, int errorcode) {
  const Communicator* communicator = library().phase == Phase::running ? find_communicator(comm) : nullptr;
  const std::string what =
      fmt::format("MPI_Abort({}, {})",
                  communicator == nullptr ? "a communicator that does not exist" : communicator->description(),
                  errorcode);
  if (const std::string level = missing_thread_level(what); !level.empty()) unsupported(level);
  ask(Fail{FailureKind::abort, "crash.mpi_abort", what});
  internal_error(__FILE__, __LINE__, "Fail", "an actor continued after its last operation");
}

}  // namespace rehearse::smpi::calls
