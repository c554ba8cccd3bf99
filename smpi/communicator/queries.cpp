// SPDX-License-Identifier: MIT
//
// What a rank can ask a communicator, and its name and hints.
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

GroupRef group_of(const Communicator& communicator) {
  std::vector<int> processes;
  for (ActorId actor : communicator.members()) processes.push_back(static_cast<int>(actor.value));
  return GroupRef(new Group(processes));
}

int only_for_intercommunicators(MPI_Comm comm) {
  Arguments check(comm);
  check.require(false, MPI_ERR_COMM, "the communicator is not an intercommunicator");
  return check.error();
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
  const int groups = compare(*group_of(*first.communicator()), *group_of(*second.communicator()));
  *result = groups == MPI_IDENT ? MPI_CONGRUENT : groups;
  return MPI_SUCCESS;
}

int Comm_group(MPI_Comm comm, MPI_Group* group) {
  Arguments check(comm);
  check.pointer(group, "group");
  if (!check.failed()) *group = add_group(group_of(*check.communicator()));
  return check.error();
}

int Comm_test_inter(MPI_Comm comm, int* flag) {
  Arguments check(comm);
  check.pointer(flag, "flag");
  if (!check.failed()) *flag = 0;
  return check.error();
}

int Comm_remote_size(MPI_Comm comm, int*) { return only_for_intercommunicators(comm); }

int Comm_remote_group(MPI_Comm comm, MPI_Group*) { return only_for_intercommunicators(comm); }

// No rank was spawned.
int Comm_get_parent(MPI_Comm* parent) {
  Arguments check;
  check.pointer(parent, "parent");
  if (!check.failed()) *parent = MPI_COMM_NULL;
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
