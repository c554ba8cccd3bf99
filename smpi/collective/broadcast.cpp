// SPDX-License-Identifier: MIT
//
// Barrier and broadcast.
#include "smpi/abi/forms.hpp"
#include "smpi/collective/barrier_search.hpp"
#include "smpi/collective/buffer.hpp"

namespace rehearse::smpi::forms {

int Barrier(MPI_Comm comm, const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  if (check.failed()) return check.error();
  if (completing.blocking() && skips_barrier()) return MPI_SUCCESS;
  Plan plan;
  plan.end = {nothing_to_do};
  plan.hints.kind = CollectiveKind::barrier;
  return run_plan(check.communicator(), completing, std::move(plan));
}

int Bcast(void* address, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm,
          const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  check.root(root);
  if (check.failed()) return check.error();
  const CommunicatorRef communicator = check.communicator();
  Buffer buffer;
  if (root != MPI_PROC_NULL) buffer = checked_buffer(check, {address, count, datatype}, "buffer");
  if (check.failed()) return check.error();
  Plan plan;
  plan.flow = Flow::root_to_all;
  plan.root = root;
  if (!communicator->is_inter()) plan.signature = buffer.signature();
  plan.hints.kind = CollectiveKind::broadcast;
  plan.hints.elements = static_cast<std::uint64_t>(buffer.count);
  plan.end = {nothing_to_do};
  if (is_root(*communicator, root)) {
    plan.gives = buffer.signature();
    plan.send = Blocks({buffer});
  } else if (root != MPI_PROC_NULL) {
    plan.takes = buffer.signature();
    plan.into = Blocks({buffer});
    plan.end = {[=](Contributions from) { return receive_block(buffer, from[static_cast<std::size_t>(root)], root); }};
  }
  return run_plan(communicator, completing, std::move(plan));
}

}  // namespace rehearse::smpi::forms
