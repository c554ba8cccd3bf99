// SPDX-License-Identifier: MIT
//
// All-to-all, with equal counts, with varying counts, and with varying types.
//
// In place: the sent data is copied from the receive blocks before any data is received into them.
#include "smpi/abi/forms.hpp"
#include "smpi/collective/buffer.hpp"
#include "smpi/collective/element_types.hpp"

namespace rehearse::smpi {
namespace {

int exchange(Arguments& check, const Completing& completing, Blocks send, const Blocks& receive, CollectiveKind kind,
             bool same) {
  if (check.failed()) return check.error();
  Plan plan;
  const Communicator& communicator = *check.communicator();
  const bool alike = kind == CollectiveKind::alltoall;
  const bool inter = communicator.is_inter();
  if (inter) {
    plan.gives = alike ? send[0].signature() : element_type_for_all(send);
    plan.takes = alike ? receive[0].signature() : element_type_for_all(receive);
  } else if (!send.empty()) {
    plan.signature = alike ? send[0].signature() : element_type(send, receive, communicator);
  }
  const auto rank = static_cast<std::size_t>(communicator.rank());
  if (!same && !inter) check_own_block(send[rank], receive[rank]);
  plan.hints.kind = kind;
  plan.send = std::move(send);
  if (!alike) plan.types = types_of(plan.send);
  plan.segmented = true;
  if (!same && completing.blocking()) plan.receive = receive;
  plan.into = receive;
  plan.in_place = same;
  plan.end = {[receive, at = check.communicator()](Contributions from) { return receive_blocks(*at, receive, from); }};
  return run_plan(check.communicator(), completing, std::move(plan));
}

bool in_place(const Arguments& check, const void* sendbuf) {
  return sendbuf == MPI_IN_PLACE && !check.failed() && !check.communicator()->is_inter();
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::forms {

int Alltoall(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
             MPI_Datatype recvtype, MPI_Comm comm, const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  if (check.failed()) return check.error();
  const int peers = check.communicator()->peers();
  const Buffer received = checked_buffer(check, {recvbuf, recvcount, recvtype}, "recvbuf", peers);
  const bool same = in_place(check, sendbuf);
  const Buffer sent = same ? received : checked_buffer(check, {sendbuf, sendcount, sendtype}, "sendbuf", peers);
  if (!same) check_distinct(check, sent, received);
  if (check.failed()) return check.error();
  return exchange(check, completing, Blocks::equal(sent, peers), Blocks::equal(received, peers),
                  CollectiveKind::alltoall, same);
}

int Alltoallv(const void* sendbuf, Integers sendcounts, Integers sdispls, MPI_Datatype sendtype, void* recvbuf,
              Integers recvcounts, Integers rdispls, MPI_Datatype recvtype, MPI_Comm comm,
              const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  if (check.failed()) return check.error();
  const int peers = check.communicator()->peers();
  const Blocks received = checked_blocks(check, {recvbuf, recvcounts, rdispls, recvtype}, "recvbuf", peers);
  const bool same = in_place(check, sendbuf);
  const Blocks sent = same ? received
                           : checked_blocks(check, {sendbuf, sendcounts, sdispls, sendtype}, "sendbuf", peers);
  return exchange(check, completing, sent, received, CollectiveKind::alltoallv, same);
}

int Alltoallw(const void* sendbuf, Integers sendcounts, Integers sdispls, const MPI_Datatype sendtypes[], void* recvbuf,
              Integers recvcounts, Integers rdispls, const MPI_Datatype recvtypes[], MPI_Comm comm,
              const Completing& completing) {
  Arguments check = collective_arguments(comm, completing);
  if (check.failed()) return check.error();
  const int peers = check.communicator()->peers();
  const Blocks received = checked_typed_blocks(check, {recvbuf, recvcounts, rdispls, recvtypes}, "recvbuf", peers);
  const bool same = in_place(check, sendbuf);
  const Blocks sent = same ? received
                           : checked_typed_blocks(check, {sendbuf, sendcounts, sdispls, sendtypes}, "sendbuf", peers);
  return exchange(check, completing, sent, received, CollectiveKind::alltoallv, same);
}

}  // namespace rehearse::smpi::forms
