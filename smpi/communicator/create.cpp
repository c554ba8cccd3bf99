// SPDX-License-Identifier: MIT
//
// Creates communicators from others, and frees them.
//
// Method: all members of the parent make the same calls on it in the same order, so the n-th communicator made from it
//         gets the same context on all of them without messages. Each call is still a collective of the parent, because
//         programs rely on its synchronisation. MPI_Comm_create_group is a collective of the group's members only, in a
//         separate context that follows from the parent, the group and the tag.
#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "simcore/actor.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/collective/collective.hpp"
#include "smpi/communicator/attributes.hpp"
#include "smpi/communicator/create.hpp"
#include "smpi/communicator/group_agreement.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/environment/error_handlers.hpp"
#include "smpi/error.hpp"
#include "smpi/group/group.hpp"
#include "smpi/info/info.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/heap.hpp"

namespace rehearse::smpi {

CommunicatorRef make_communicator(std::uint64_t context, RankMap members, std::string origin, RankMap remote) {
  return CommunicatorRef(new Communicator(context, members, std::move(origin), remote));
}

namespace {

// The number of communicators that were made in the context of a parent, a tag and a group.
struct GroupSpaces {
  std::map<std::uint64_t, std::uint64_t> made;
};

}  // namespace

int synchronise_group(MPI_Comm comm, const Space& space, RankMap members, const std::string& origin,
                      CommunicatorRef& made) {
  const CommunicatorRef members_only = make_communicator(space.context, members, "");
  members_only->handle = comm;
  const int error = run_collective(members_only, {space.call}, {}, {nothing_to_do});
  if (error != MPI_SUCCESS) return error;
  const std::uint64_t number = per_rank<GroupSpaces>().made[space.context]++;
  made = make_communicator(derive_context(space.context, number, 2), members, origin);
  return MPI_SUCCESS;
}

std::uint64_t space_of_group(std::uint64_t start, const std::vector<ActorId>& members) {
  for (ActorId member : members) start = derive_context(start, member.value, 1);
  return start;
}

std::uint64_t space_of_text(const char* text) {
  std::uint64_t space = 8;
  for (; *text != '\0'; ++text) space = derive_context(space, static_cast<unsigned char>(*text), 2);
  return space;
}

namespace {

// ---- duplicates

// `hints` are those of the copy, which inherits none.
int duplicate(MPI_Comm comm, const Completing& completing, const Hints& hints, MPI_Comm* newcomm) {
  Arguments check = collective_arguments(comm, completing);
  check.pointer(newcomm, "newcomm");
  if (check.failed()) return check.error();
  const CommunicatorRef parent = check.communicator();
  const std::uint64_t context = derive_context(parent->context(), parent->next_child(), 0);
  const CommunicatorRef copy =
      make_communicator(context, parent->local_map(), "dup of " + parent->description(), parent->remote_map());
  copy->hints = hints;
  copy->topology = parent->topology;
  communicators().add(copy, *parent);
  const int code = copy_attributes(*parent, *copy);
  if (code != MPI_SUCCESS) {
    communicators().remove(copy->handle);
    return error_on(comm, code, "an attribute's copy function failed");
  }
  *newcomm = copy->handle;
  if (completing.blocking()) {
    const int error = run_collective(parent, completing, {}, {nothing_to_do});
    if (error == MPI_SUCCESS) return MPI_SUCCESS;
    communicators().remove(*newcomm);
    *newcomm = MPI_COMM_NULL;
    return error;
  }
  copy->pending_since = creation_site();
  return run_collective(parent, completing, {}, {[copy](Contributions) {
                          copy->pending_since = {};
                          return Trouble{};
                        }});
}

int duplicate_with_info(MPI_Comm comm, MPI_Info info, const Completing& completing, MPI_Comm* newcomm) {
  const Hints* hints = find_hints(info);
  if (hints == nullptr) return error_on(comm, MPI_ERR_INFO, "the info object was freed or never existed");
  return duplicate(comm, completing, *hints, newcomm);
}

// ---- from groups

// The members of a group that must all be members of the communicator; empty if they are not. Only the table that all
// ranks share is kept.
RankMap members_of_group(const Communicator& parent, const Group& group) {
  const HostAllocation host;
  std::vector<ActorId> members;
  for (int rank = 0; rank < group.size(); ++rank) {
    const ActorId actor{static_cast<std::uint32_t>(group.process(rank))};
    if (parent.rank_of(actor) == MPI_UNDEFINED) return RankMap::none();
    members.push_back(actor);
  }
  return members;
}

const Group* checked_group(Arguments& check, MPI_Group handle) {
  const Group* group = find_group(handle);
  check.require(group != nullptr, MPI_ERR_GROUP, "the group is MPI_GROUP_NULL, was freed or never existed");
  if (check.failed()) return nullptr;
  check.require(group->size() == 0 || members_of_group(*check.communicator(), *group).size() > 0, MPI_ERR_GROUP,
                "the group has a process that is not in the communicator");
  return check.failed() ? nullptr : group;
}

bool contains_caller(const RankMap& members) { return members.rank_of(current_actor()) != MPI_UNDEFINED; }

// On an intercommunicator: each side sends the list of its participating members to all members of both sides.
int create_between(const CommunicatorRef& parent, RankMap members, MPI_Comm* newcomm) {
  const std::uint64_t child = parent->next_child();
  RankMap remote = RankMap::none();
  Contribution contribution;
  contribution.data = std::as_bytes(std::span(members.actors()));
  contribution.between_groups = true;
  const int error = run_collective(parent, {"MPI_Comm_create"}, contribution, {[&](Contributions from) {
                                     const HostAllocation host;
                                     const std::span<const std::byte> theirs = from[parent->first_peer()];
                                     std::vector<ActorId> actors(theirs.size() / sizeof(ActorId));
                                     if (!actors.empty()) std::memcpy(actors.data(), theirs.data(), theirs.size());
                                     remote = actors;
                                     return Trouble{};
                                   }});
  if (error != MPI_SUCCESS) return error;
  *newcomm = MPI_COMM_NULL;
  if (remote.size() == 0 || !contains_caller(members)) return MPI_SUCCESS;
  const CommunicatorRef made = make_communicator(derive_context(parent->context(), child, 0), members,
                                                 "group of " + parent->description(), remote);
  *newcomm = communicators().add(made, *parent);
  return MPI_SUCCESS;
}

int create(MPI_Comm comm, MPI_Group handle, MPI_Comm* newcomm) {
  Arguments check(comm);
  check.pointer(newcomm, "newcomm");
  const Group* group = checked_group(check, handle);
  if (check.failed()) return check.error();
  const CommunicatorRef parent = check.communicator();
  const RankMap members = members_of_group(*parent, *group);
  if (parent->is_inter()) return create_between(parent, members, newcomm);
  const std::uint64_t child = parent->next_child();
  const GroupRemark remark(members.actors());
  Contribution contribution;
  contribution.remark = remark.bytes();
  Disagreement disagreement;
  const int error = run_collective(parent, {"MPI_Comm_create"}, contribution, {[&](Contributions from) {
                                     disagreement = compare_groups(*parent, members.actors(), from.remarks());
                                     return Trouble{};
                                   }});
  if (error != MPI_SUCCESS) return error;
  report_disagreement(disagreement);
  *newcomm = MPI_COMM_NULL;
  if (!contains_caller(members)) return MPI_SUCCESS;
  // Different members may name disjoint groups. Each group has its own context.
  const std::uint64_t context = derive_context(parent->context(), child, space_of_group(1, members.actors()));
  *newcomm = communicators().add(make_communicator(context, members, "group of " + parent->description()), *parent);
  return MPI_SUCCESS;
}

int create_from_group(MPI_Comm comm, MPI_Group handle, int tag, MPI_Comm* newcomm) {
  Arguments check = intracommunicator_arguments(comm);
  check.pointer(newcomm, "newcomm").tag(tag);
  const Group* group = checked_group(check, handle);
  if (check.failed()) return check.error();
  const CommunicatorRef parent = check.communicator();
  const RankMap members = members_of_group(*parent, *group);
  *newcomm = MPI_COMM_NULL;
  if (!contains_caller(members)) return MPI_SUCCESS;
  // The largest child number, which no other call on the parent uses.
  const std::uint64_t start = derive_context(parent->context(), ~std::uint64_t{0}, static_cast<std::uint64_t>(tag));
  CommunicatorRef made;
  const int error = synchronise_group(comm, {"MPI_Comm_create_group", space_of_group(start, members.actors())}, members,
                                      "group of " + parent->description(), made);
  if (error == MPI_SUCCESS) *newcomm = communicators().add(made, *parent);
  return error;
}

int create_from_named_group(MPI_Group handle, const char* name, MPI_Info info, MPI_Errhandler handler,
                            MPI_Comm* newcomm) {
  Arguments outer;
  outer.require(per_rank<ErrorHandlers>().fits_communicator(handler), MPI_ERR_ERRHANDLER,
                "the error handler is not for communicators");
  if (outer.failed()) return outer.error();
  Arguments check(handler);
  check.pointer(newcomm, "newcomm").pointer(name, "stringtag");
  const Group* group = find_group(handle);
  check.require(group != nullptr, MPI_ERR_GROUP, "the group is MPI_GROUP_NULL, was freed or never existed");
  check.require(find_hints(info) != nullptr, MPI_ERR_INFO, "the info object was freed or never existed");
  if (check.failed()) return check.error();
  const Communicator& world = *communicators().world();
  const RankMap members = members_of_group(world, *group);
  *newcomm = MPI_COMM_NULL;
  if (group->size() == 0) return MPI_SUCCESS;
  check.require(contains_caller(members), MPI_ERR_GROUP, "the caller is not in the group");
  if (check.failed()) return check.error();
  CommunicatorRef made;
  const Space space{"MPI_Comm_create_from_group", space_of_group(space_of_text(name), members.actors())};
  const int error = synchronise_group(MPI_COMM_SELF, space, members, name, made);
  if (error != MPI_SUCCESS) return error;
  made->hints = *find_hints(info);
  *newcomm = communicators().add(made, world);
  made->session = session_of_group(handle);
  return calls::Comm_set_errhandler(*newcomm, handler);
}

// ---- ends

int free_communicator(MPI_Comm* comm, bool synchronises) {
  Arguments outer;
  outer.pointer(comm, "comm");
  if (outer.failed()) return outer.error();
  Arguments check(*comm);
  check.require(!is_predefined_handle(*comm), MPI_ERR_COMM, "a predefined communicator must not be freed");
  if (check.failed()) return check.error();
  const CommunicatorRef communicator = check.communicator();
  if (synchronises) {
    const int error = run_collective(communicator, {"MPI_Comm_disconnect"}, {}, {nothing_to_do});
    if (error != MPI_SUCCESS) return error;
  }
  const int code = delete_attributes(*communicator);
  if (code != MPI_SUCCESS) return error_on(*comm, code, "an attribute's delete function failed");
  communicators().remove(*comm);
  *comm = MPI_COMM_NULL;
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Comm_dup(MPI_Comm comm, MPI_Comm* newcomm) { return duplicate(comm, {"MPI_Comm_dup"}, {}, newcomm); }

int Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm) {
  return duplicate_with_info(comm, info, {"MPI_Comm_dup_with_info"}, newcomm);
}

int Comm_idup(MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request) {
  return duplicate(comm, nonblocking("MPI_Comm_idup", request), {}, newcomm);
}

int Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm, MPI_Request* request) {
  return duplicate_with_info(comm, info, nonblocking("MPI_Comm_idup_with_info", request), newcomm);
}

int Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm) { return create(comm, group, newcomm); }

int Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm) {
  return create_from_group(comm, group, tag, newcomm);
}

int Comm_create_from_group(MPI_Group group, const char* stringtag, MPI_Info info, MPI_Errhandler errhandler,
                           MPI_Comm* newcomm) {
  return create_from_named_group(group, stringtag, info, errhandler, newcomm);
}

int Comm_free(MPI_Comm* comm) { return free_communicator(comm, false); }

int Comm_disconnect(MPI_Comm* comm) { return free_communicator(comm, true); }

}  // namespace rehearse::smpi::calls
