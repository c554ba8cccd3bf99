// SPDX-License-Identifier: MIT
//
// Scatter, with equal and with varying counts.
//
// In place: the root keeps its own block where it is.
#include <vector>

#include "smpi/abi/forms.hpp"
#include "smpi/collective/buffer.hpp"
#include "smpi/collective/element_types.hpp"

namespace rehearse::smpi {
namespace {

// A scatter whose blocks, at the root, are known. `all_alike`: the counts must agree.
int scatter_blocks(Arguments& check, const Completing& completing, const Blocks& blocks,
                   const BufferArguments& arguments, int root, bool all_alike) {
  if (check.failed()) return check.error();
  const CommunicatorRef communicator = check.communicator();
  const bool roots = is_root(*communicator, root);
  const bool inter = communicator->is_inter();
  const bool in_place = !inter && roots && arguments.address == MPI_IN_PLACE;
  const bool receives = inter ? !roots && root != MPI_PROC_NULL : !in_place;
  Buffer receive;
  if (receives) receive = checked_buffer(check, arguments, "recvbuf");
  if (roots && receives) check_distinct(check, blocks[0], receive);
  if (check.failed()) return check.error();
  Plan plan;
  plan.flow = Flow::root_to_all;
  plan.root = root;
  if (roots) plan.gives = all_alike ? blocks[0].signature() : element_type(blocks);
  if (receives) plan.takes = all_alike ? receive.signature() : element_type(receive);
  if (!inter) plan.signature = roots ? plan.gives : plan.takes;
  if (roots && receives) check_own_block(blocks[static_cast<std::size_t>(root)], receive);
  plan.segmented = roots;
  plan.hints.kind = all_alike ? CollectiveKind::scatter : CollectiveKind::scatterv;
  plan.send = blocks;
  if (roots && !all_alike) plan.types = types_of(plan.send);
  plan.end = {nothing_to_do};
  if (receives && !roots) plan.receive = Blocks({receive});
  if (receives) plan.into = Blocks({receive});
  if (receives)
    plan.end = {[=](Contributions from) {
      const auto giver = static_cast<std::size_t>(root);
      Trouble trouble = receive_block(receive, from[giver], root);
      const bool has_remark = !roots && giver < from.remarks().size() && from[giver].size() == receive.bytes();
      if (has_remark) trouble.types = type_mismatch({*communicator, root, receive}, from.remarks()[giver]);
      return trouble;
    }};
  return run_plan(communicator, completing, std::move(plan));
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::forms {

int Scatter(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
            MPI_Datatype recvtype, int root, MPI_Comm comm, const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  check.root(root);
  Blocks blocks;
  if (!check.failed() && is_root(*check.communicator(), root)) {
    const int peers = check.communicator()->peers();
    const Buffer send = checked_buffer(check, {sendbuf, sendcount, sendtype}, "sendbuf", peers);
    if (!check.failed()) blocks = Blocks::equal(send, peers);
  }
  return scatter_blocks(check, completing, blocks, {recvbuf, recvcount, recvtype}, root, true);
}

int Scatterv(const void* sendbuf, Integers sendcounts, Integers displs, MPI_Datatype sendtype, void* recvbuf,
             MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  check.root(root);
  Blocks blocks;
  if (!check.failed() && is_root(*check.communicator(), root))
    blocks = checked_blocks(check, {sendbuf, sendcounts, displs, sendtype}, "sendbuf", check.communicator()->peers());
  return scatter_blocks(check, completing, blocks, {recvbuf, recvcount, recvtype}, root, false);
}

}  // namespace rehearse::smpi::forms
