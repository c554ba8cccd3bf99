// SPDX-License-Identifier: MIT
//
// The queries of communicators, and their names and hints.
#include <cstring>
#include <string>

#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/communicator/communicator.hpp"
#include "smpi/error.hpp"
#include "smpi/group/group.hpp"
#include "smpi/info/info.hpp"

namespace rehearse::smpi {
namespace {

GroupRef group_of(const std::vector<ActorId>& members) {
  std::vector<int> processes;
  for (ActorId actor : members) processes.push_back(static_cast<int>(actor.value));
  return GroupRef(new Group(processes));
}

// The arguments of a call that only intercommunicators have.
Arguments intercommunicator_arguments(MPI_Comm comm) {
  Arguments check(comm);
  if (!check.failed())
    check.require(check.communicator()->is_inter(), MPI_ERR_COMM, "the communicator is not an intercommunicator");
  return check;
}

// Compares the groups of two different communicators.
int compare_groups(const Communicator& a, const Communicator& b) {
  if (a.is_inter() != b.is_inter()) return MPI_UNEQUAL;
  const int local = compare(*group_of(a.members()), *group_of(b.members()));
  const int remote = a.is_inter() ? compare(*group_of(a.remote_members()), *group_of(b.remote_members())) : MPI_IDENT;
  if (local == MPI_UNEQUAL || remote == MPI_UNEQUAL) return MPI_UNEQUAL;
  return local == MPI_IDENT && remote == MPI_IDENT ? MPI_CONGRUENT : MPI_SIMILAR;
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Comm_size(MPI_Comm comm, int* size) {
  Arguments check(comm);
  check.pointer(size, "size");
  if (!check.failed()) *size = check.communicator()->size();
  return check.error();
}

int Comm_rank(MPI_Comm comm, int* rank) {
  Arguments check(comm);
  check.pointer(rank, "rank");
  if (!check.failed()) *rank = check.communicator()->rank();
  return check.error();
}

int Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int* result) {
  Arguments first(comm1);
  first.pointer(result, "result");
  if (first.failed()) return first.error();
  Arguments second(comm2);
  if (second.failed()) return second.error();
  if (comm1 == comm2) {
    *result = MPI_IDENT;
    return MPI_SUCCESS;
  }
  *result = compare_groups(*first.communicator(), *second.communicator());
  return MPI_SUCCESS;
}

int Comm_group(MPI_Comm comm, MPI_Group* group) {
  Arguments check(comm);
  check.pointer(group, "group");
  if (!check.failed()) {
    const Communicator& communicator = *check.communicator();
    *group = add_group(group_of(communicator.members()), communicator.session);
  }
  return check.error();
}

int Comm_test_inter(MPI_Comm comm, int* flag) {
  Arguments check(comm);
  check.pointer(flag, "flag");
  if (!check.failed()) *flag = check.communicator()->is_inter() ? 1 : 0;
  return check.error();
}

int Comm_remote_size(MPI_Comm comm, int* size) {
  Arguments check = intercommunicator_arguments(comm);
  check.pointer(size, "size");
  if (!check.failed()) *size = check.communicator()->peers();
  return check.error();
}

int Comm_remote_group(MPI_Comm comm, MPI_Group* group) {
  Arguments check = intercommunicator_arguments(comm);
  check.pointer(group, "group");
  if (!check.failed()) {
    const Communicator& communicator = *check.communicator();
    *group = add_group(group_of(communicator.remote_members()), communicator.session);
  }
  return check.error();
}

int Comm_set_name(MPI_Comm comm, const char* comm_name) {
  Arguments check(comm);
  check.pointer(comm_name, "comm_name");
  if (check.failed()) return check.error();
  check.communicator()->name.assign(comm_name, strnlen(comm_name, MPI_MAX_OBJECT_NAME - 1));
  return MPI_SUCCESS;
}

int Comm_get_name(MPI_Comm comm, char* comm_name, int* resultlen) {
  Arguments check(comm);
  check.pointer(comm_name, "comm_name").pointer(resultlen, "resultlen");
  if (check.failed()) return check.error();
  const std::string& name = check.communicator()->name;
  std::memcpy(comm_name, name.c_str(), name.size() + 1);
  *resultlen = static_cast<int>(name.size());
  return MPI_SUCCESS;
}

int Comm_set_info(MPI_Comm comm, MPI_Info info) {
  Arguments check(comm);
  const Hints* hints = find_hints(info);
  check.require(hints != nullptr, MPI_ERR_INFO, "the info object was freed or never existed");
  if (!check.failed()) check.communicator()->hints = *hints;
  return check.error();
}

int Comm_get_info(MPI_Comm comm, MPI_Info* info_used) {
  Arguments check(comm);
  check.pointer(info_used, "info_used");
  if (!check.failed()) *info_used = add_info(check.communicator()->hints);
  return check.error();
}

}  // namespace rehearse::smpi::calls
