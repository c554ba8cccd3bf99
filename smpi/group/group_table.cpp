// SPDX-License-Identifier: MIT
//
// The groups of a rank.
#include "smpi/creation_site.hpp"
#include "smpi/group/group.hpp"
#include "smpi/per_rank.hpp"

namespace rehearse::smpi {

GroupTable& groups() { return per_rank<GroupTable>(); }

const Group* find_group(MPI_Group handle) {
  if (handle == MPI_GROUP_EMPTY) return Group::empty().get();
  if (is_predefined_handle(handle)) return nullptr;
  const GroupRef* group = groups().made.find(handle);
  return group == nullptr ? nullptr : group->get();
}

MPI_Group add_group(GroupRef group, MPI_Session session) {
  if (group->size() == 0) return MPI_GROUP_EMPTY;
  const MPI_Group handle = groups().made.insert(std::move(group), creation_site());
  if (session != MPI_SESSION_NULL) groups().sessions.emplace(handle, session);
  return handle;
}

MPI_Session session_of_group(MPI_Group group) {
  const auto found = groups().sessions.find(group);
  return found == groups().sessions.end() ? MPI_SESSION_NULL : found->second;
}

}  // namespace rehearse::smpi
