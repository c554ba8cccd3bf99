// SPDX-License-Identifier: MIT
//
// The calls of user-level failure mitigation.
//
// Source: smpi/failure_plan.hpp; the calls without failures behave as if there were none to know of.
#include <span>

#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/communicator/create.hpp"
#include "smpi/error.hpp"
#include "smpi/failure/agreement.hpp"
#include "smpi/failure/failures.hpp"
#include "smpi/group/group.hpp"

namespace rehearse::smpi {
namespace {

MPI_Group group_of(std::span<const ActorId> members) {
  std::vector<int> processes;
  for (const ActorId actor : members) processes.push_back(static_cast<int>(actor.value));
  return add_group(GroupRef(new Group(processes)));
}

std::vector<ActorId> dead_in(const Communicator& communicator) {
  return failures() == nullptr ? std::vector<ActorId>() : failures()->dead_in(communicator);
}

void look(const Communicator& communicator) {
  if (Failures* known = failures()) known->look(communicator);
}

// The members that are in the new communicator are those that took part.
int shrink(MPI_Comm comm, MPI_Comm* newcomm) {
  Arguments check = intracommunicator_arguments(comm);
  check.pointer(newcomm, "newcomm");
  if (check.failed()) return check.error();
  failure_point();
  const CommunicatorRef parent = check.communicator();
  const FaultAgreement agreed = agree(*parent, FaultAgreement::Kind::shrink, 0);
  const CommunicatorRef made = make_communicator(shrunk_context(*parent, agreed.number), RankMap(agreed.participants),
                                                 "shrunk " + parent->description());
  *newcomm = communicators().add(made, *parent);
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int MPIX_Comm_revoke(MPI_Comm comm) {
  Arguments check = intracommunicator_arguments(comm);
  if (check.failed()) return check.error();
  failure_point();
  // Ranks wait for revocations only if a file that is loaded at the start of the program can revoke.
  if (!failure_plan().may_revoke) unsupported("MPIX_Comm_revoke in a library that the program loads while it runs");
  failures()->revoke(*check.communicator());
  return MPI_SUCCESS;
}

int MPIX_Comm_is_revoked(MPI_Comm comm, int* flag) {
  Arguments check = intracommunicator_arguments(comm);
  check.pointer(flag, "flag");
  if (check.failed()) return check.error();
  look(*check.communicator());
  *flag = failures() != nullptr && failures()->is_revoked(*check.communicator()) ? 1 : 0;
  return MPI_SUCCESS;
}

int MPIX_Comm_shrink(MPI_Comm comm, MPI_Comm* newcomm) { return shrink(comm, newcomm); }

int MPIX_Comm_agree(MPI_Comm comm, int* flag) {
  Arguments check = intracommunicator_arguments(comm);
  check.pointer(flag, "flag");
  if (check.failed()) return check.error();
  failure_point();
  const FaultAgreement agreed = agree(*check.communicator(), FaultAgreement::Kind::agree, *flag);
  *flag = agreed.flag;
  if (!agreed.has_news) return MPI_SUCCESS;
  return error_on(comm, MPIX_ERR_PROC_FAILED, "a member has failed that not all members have acknowledged");
}

int MPIX_Comm_failure_ack(MPI_Comm comm) {
  Arguments check = intracommunicator_arguments(comm);
  if (check.failed()) return check.error();
  look(*check.communicator());
  if (Failures* known = failures()) known->acknowledge(*check.communicator(), dead_in(*check.communicator()).size());
  return MPI_SUCCESS;
}

int MPIX_Comm_failure_get_acked(MPI_Comm comm, MPI_Group* failedgrp) {
  Arguments check = intracommunicator_arguments(comm);
  check.pointer(failedgrp, "failedgrp");
  if (check.failed()) return check.error();
  *failedgrp =
      group_of(failures() == nullptr ? std::vector<ActorId>() : failures()->acknowledged_in(*check.communicator()));
  return MPI_SUCCESS;
}

int MPIX_Comm_get_failed(MPI_Comm comm, MPI_Group* failedgrp) {
  Arguments check = intracommunicator_arguments(comm);
  check.pointer(failedgrp, "failedgrp");
  if (check.failed()) return check.error();
  look(*check.communicator());
  *failedgrp = group_of(dead_in(*check.communicator()));
  return MPI_SUCCESS;
}

int MPIX_Comm_ack_failed(MPI_Comm comm, int num_to_ack, int* num_acked) {
  Arguments check = intracommunicator_arguments(comm);
  check.pointer(num_acked, "num_acked").count(num_to_ack, "num_to_ack");
  if (check.failed()) return check.error();
  *num_acked = 0;
  if (Failures* known = failures()) {
    known->acknowledge(*check.communicator(), static_cast<std::size_t>(num_to_ack));
    *num_acked = static_cast<int>(known->acknowledged_in(*check.communicator()).size());
  }
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
