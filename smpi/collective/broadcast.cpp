// SPDX-License-Identifier: MIT
//
// Barrier and broadcast.
#include "smpi/abi/forms.hpp"
#include "smpi/collective/barrier_look.hpp"
#include "smpi/collective/buffer.hpp"

namespace rehearse::smpi {
namespace {

// Between two groups everybody meets: the members of the root's group do not know which of them it
// is.
int broadcast_between(const CommunicatorRef& communicator, const Completing& completing,
                      const Buffer& buffer, int root) {
  Plan plan;
  plan.root_between = root;
  plan.end = {nothing_to_do};
  if (root == MPI_ROOT) {
    plan.send = Blocks({buffer});
  } else if (root != MPI_PROC_NULL) {
    plan.into = Blocks({buffer});
    plan.end = {[=](Contributions from) {
      return receive_block(buffer, from[static_cast<std::size_t>(root)], root);
    }};
  }
  return run_plan(communicator, completing, std::move(plan));
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::forms {

int Barrier(MPI_Comm comm, const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  if (check.failed()) return check.error();
  if (completing.blocking() && leaves_out_barrier()) return MPI_SUCCESS;
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
  if (communicator->is_inter()) return broadcast_between(communicator, completing, buffer, root);
  Plan plan;
  plan.flow = Flow::root_to_all;
  plan.root = root;
  plan.signature = buffer.signature();
  plan.hints.kind = CollectiveKind::broadcast;
  plan.hints.elements = static_cast<std::uint64_t>(buffer.count);
  plan.end = {nothing_to_do};
  if (communicator->rank() == root) {
    plan.send = Blocks({buffer});
  } else {
    plan.into = Blocks({buffer});
    plan.end = {[=](Contributions from) {
      return receive_block(buffer, from[static_cast<std::size_t>(root)], root);
    }};
  }
  return run_plan(communicator, completing, std::move(plan));
}

}  // namespace rehearse::smpi::forms
