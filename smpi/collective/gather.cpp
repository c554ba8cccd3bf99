// SPDX-License-Identifier: MIT
//
// Gather and allgather, with equal and with varying counts.
//
// In place: the caller's own block is already in its place. The send buffer is not read, and the block is not written.
#include "smpi/abi/forms.hpp"
#include "smpi/collective/buffer.hpp"
#include "smpi/collective/element_types.hpp"

namespace rehearse::smpi {
namespace {

// The caller's part in a call with a root.
enum class Role { root, other, bystander };

Role role_of(const Communicator& communicator, int root) {
  if (is_root(communicator, root)) return Role::root;
  return root == MPI_PROC_NULL ? Role::bystander : Role::other;
}

// Between two groups: the members of one group send, the root in the other group receives.
Plan plan_between(const CommunicatorRef& at, Role role, const Buffer& send, const Blocks& blocks, bool all_alike) {
  Plan plan;
  plan.end = {nothing_to_do};
  if (role == Role::other) {
    plan.gives = all_alike ? send.signature() : element_type(send);
    plan.send = Blocks({send});
    if (!all_alike) plan.types = types_of(plan.send);
  } else if (role == Role::root) {
    plan.takes = all_alike ? blocks[0].signature() : element_type(blocks);
    plan.into = blocks;
    plan.end = {[=](Contributions from) { return receive_blocks(*at, blocks, from); }};
  }
  return plan;
}

// A gather whose blocks, at the root, are known. `all_alike`: the counts must agree.
int gather_blocks(Arguments& check, const Completing& completing, const BufferArguments& arguments,
                  const Blocks& blocks, int root, bool all_alike) {
  if (check.failed()) return check.error();
  const CommunicatorRef communicator = check.communicator();
  const Role role = role_of(*communicator, root);
  const bool inter = communicator->is_inter();
  const bool in_place = !inter && role == Role::root && arguments.address == MPI_IN_PLACE;
  Buffer send;
  if (!in_place && (role == Role::other || !inter)) send = checked_buffer(check, arguments, "sendbuf");
  if (role == Role::root && !inter && !in_place && all_alike) check_distinct(check, send, blocks[0]);
  if (check.failed()) return check.error();
  Plan plan = inter ? plan_between(communicator, role, send, blocks, all_alike) : Plan();
  plan.flow = Flow::all_to_root;
  plan.root = root;
  plan.hints.kind = all_alike ? CollectiveKind::gather : CollectiveKind::gatherv;
  if (inter) return run_plan(communicator, completing, std::move(plan));
  const Buffer own = in_place ? blocks[static_cast<std::size_t>(root)] : send;
  plan.signature = all_alike ? own.signature() : role == Role::root ? element_type(blocks) : element_type(own);
  if (role == Role::root && !in_place) check_own_block(own, blocks[static_cast<std::size_t>(root)]);
  plan.send = Blocks({own});
  if (!all_alike && role != Role::root) plan.types = types_of(plan.send);
  plan.end = {nothing_to_do};
  if (role == Role::root && completing.blocking()) plan.receive = blocks;
  if (role == Role::root) plan.into = blocks;
  plan.in_place = in_place;
  if (role == Role::root)
    plan.end = {[=, skip = in_place ? root : MPI_UNDEFINED](Contributions from) {
      return receive_blocks(*communicator, blocks, from, skip);
    }};
  return run_plan(communicator, completing, std::move(plan));
}

// An allgather whose blocks are known.
int gather_everywhere(Arguments& check, const Completing& completing, const BufferArguments& send, const Blocks& blocks,
                      CollectiveKind kind) {
  if (check.failed()) return check.error();
  const CommunicatorRef communicator = check.communicator();
  const int rank = communicator->rank();
  const bool in_place = !communicator->is_inter() && send.address == MPI_IN_PLACE;
  const Buffer own = in_place ? blocks[static_cast<std::size_t>(rank)] : checked_buffer(check, send, "sendbuf");
  if (!in_place) check_distinct(check, own, blocks[0]);
  if (check.failed()) return check.error();
  Plan plan;
  const bool all_alike = kind == CollectiveKind::allgather;
  plan.gives = all_alike ? own.signature() : element_type(own);
  plan.takes = all_alike ? blocks[0].signature() : element_type(blocks);
  if (!communicator->is_inter()) plan.signature = plan.takes;
  if (!in_place && !communicator->is_inter()) check_own_block(own, blocks[static_cast<std::size_t>(rank)]);
  plan.hints.kind = kind;
  plan.hints.total_bytes = blocks.bytes();
  plan.send = Blocks({own});
  if (!all_alike) plan.types = types_of(plan.send);
  plan.into = blocks;
  plan.in_place = in_place;
  plan.end = {[=, skip = in_place ? rank : MPI_UNDEFINED](Contributions from) {
    return receive_blocks(*communicator, blocks, from, skip);
  }};
  return run_plan(communicator, completing, std::move(plan));
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::forms {

int Gather(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
           MPI_Datatype recvtype, int root, MPI_Comm comm, const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  check.root(root);
  Blocks blocks;
  if (!check.failed() && role_of(*check.communicator(), root) == Role::root) {
    const int peers = check.communicator()->peers();
    const Buffer receive = checked_buffer(check, {recvbuf, recvcount, recvtype}, "recvbuf", peers);
    if (!check.failed()) blocks = Blocks::equal(receive, peers);
  }
  return gather_blocks(check, completing, {sendbuf, sendcount, sendtype}, blocks, root, true);
}

int Gatherv(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, Integers recvcounts,
            Integers displs, MPI_Datatype recvtype, int root, MPI_Comm comm, const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  check.root(root);
  Blocks blocks;
  if (!check.failed() && role_of(*check.communicator(), root) == Role::root)
    blocks = checked_blocks(check, {recvbuf, recvcounts, displs, recvtype}, "recvbuf", check.communicator()->peers());
  return gather_blocks(check, completing, {sendbuf, sendcount, sendtype}, blocks, root, false);
}

int Allgather(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
              MPI_Datatype recvtype, MPI_Comm comm, const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  if (check.failed()) return check.error();
  const int peers = check.communicator()->peers();
  const Buffer receive = checked_buffer(check, {recvbuf, recvcount, recvtype}, "recvbuf", peers);
  if (check.failed()) return check.error();
  return gather_everywhere(check, completing, {sendbuf, sendcount, sendtype}, Blocks::equal(receive, peers),
                           CollectiveKind::allgather);
}

int Allgatherv(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, Integers recvcounts,
               Integers displs, MPI_Datatype recvtype, MPI_Comm comm, const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  if (check.failed()) return check.error();
  const Blocks blocks =
      checked_blocks(check, {recvbuf, recvcounts, displs, recvtype}, "recvbuf", check.communicator()->peers());
  return gather_everywhere(check, completing, {sendbuf, sendcount, sendtype}, blocks, CollectiveKind::allgatherv);
}

}  // namespace rehearse::smpi::forms
