// SPDX-License-Identifier: MIT
//
// Creates intercommunicators from two groups, and communicators from intercommunicators.
//
// Method: each side has a token that is unique to this call. The leaders exchange tokens and members over the peer
//         communicator, in a separate context, and each sends the other side's data to its own group. The new context
//         follows from both tokens.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "simcore/actor.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/collective/collective.hpp"
#include "smpi/communicator/create.hpp"
#include "smpi/error.hpp"
#include "smpi/group/group.hpp"
#include "smpi/library.hpp"

namespace rehearse::smpi {
namespace {

// The message of one side to the other: its token, then its members.
std::vector<std::uint64_t> introduction_of(const Communicator& local, std::uint64_t token) {
  std::vector<std::uint64_t> words{token};
  for (const ActorId member : local.members()) words.push_back(member.value);
  return words;
}

std::vector<std::uint64_t> words_in(std::span<const std::byte> bytes) {
  std::vector<std::uint64_t> words(bytes.size() / sizeof(std::uint64_t));
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

// The exchange between the leaders in a separate context. Returns the introduction of the other side.
std::vector<std::uint64_t> exchange(std::uint64_t space, ActorId other,
                                    const std::vector<std::uint64_t>& introduction) {
  const ContextId context{space};
  Send send;
  send.request = library().start_request();
  send.context = context;
  send.destination = other;
  send.data = std::as_bytes(std::span(introduction));
  ask(send);
  Post post;
  post.request = library().start_request();
  post.pattern = {context, other, Tag{0}};
  post.capacity_bytes = (actor_count() + 1) * sizeof(std::uint64_t);
  ask(post);
  const std::array started{send.request, post.request};
  return words_in(ask(Observe{started, Quantifier::all, true}).completions[1].data);
}

struct InterArguments {
  int local_leader;
  MPI_Comm peer_comm;
  int remote_leader;
  int tag;
};

// The peer communicator is significant only at the leader.
int check_leader(Arguments& check, const InterArguments& arguments) {
  Arguments peer(arguments.peer_comm);
  peer.destination(arguments.remote_leader)
      .require(arguments.remote_leader != MPI_PROC_NULL, MPI_ERR_RANK, "the remote leader is MPI_PROC_NULL");
  if (peer.failed()) return peer.error();
  const Communicator& communicator = *peer.communicator();
  check.require(check.communicator()->rank_of(communicator.peer(arguments.remote_leader)) == MPI_UNDEFINED,
                MPI_ERR_COMM, "the remote leader is a member of the local group");
  return check.error();
}

std::vector<ActorId> actors_in(const std::vector<std::uint64_t>& introduction) {
  std::vector<ActorId> actors;
  for (std::size_t i = 1; i < introduction.size(); ++i)
    actors.push_back(ActorId{static_cast<std::uint32_t>(introduction[i])});
  return actors;
}

// The other leader, and the context of the exchange with it.
struct Counterpart {
  std::uint64_t space = 0;
  ActorId actor;
};

// Connects the local group, whose leader knows the counterpart, with the other one. Errors are raised on
// `comm`.
int connect(MPI_Comm comm, const CommunicatorRef& local, int leader, const Counterpart& counterpart,
            CommunicatorRef& made) {
  const bool leads = local->rank() == leader;
  const std::uint64_t token = derive_context(local->context(), local->next_child(), 1);
  std::vector<std::uint64_t> theirs;
  if (leads) theirs = exchange(counterpart.space, counterpart.actor, introduction_of(*local, token));
  Contribution contribution;
  contribution.flow = Flow::root_to_all;
  contribution.root = static_cast<std::uint32_t>(leader);
  contribution.data = std::as_bytes(std::span(theirs));
  const auto root = static_cast<std::size_t>(leader);
  const int error = run_collective(local, {"MPI_Intercomm_create"}, contribution, {[&](Contributions from) {
                                     if (!leads) theirs = words_in(from[root]);
                                     return Trouble{};
                                   }});
  if (error != MPI_SUCCESS) return error;
  const std::vector<ActorId> remote = actors_in(theirs);
  const bool overlap =
      std::any_of(remote.begin(), remote.end(), [&](ActorId actor) { return local->rank_of(actor) != MPI_UNDEFINED; });
  if (overlap) return error_on(comm, MPI_ERR_COMM, "the two groups have a process in common");
  const std::uint64_t context = derive_context(std::min(token, theirs[0]), std::max(token, theirs[0]), 2);
  made = make_communicator(context, local->members(), "intercommunicator of " + local->description(), remote);
  return MPI_SUCCESS;
}

int create(MPI_Comm local_comm, const InterArguments& arguments, MPI_Comm* newcomm) {
  Arguments check = intracommunicator_arguments(local_comm);
  check.pointer(newcomm, "newintercomm").leader(arguments.local_leader).tag(arguments.tag);
  if (check.failed()) return check.error();
  const CommunicatorRef local = check.communicator();
  Counterpart counterpart;
  if (local->rank() == arguments.local_leader) {
    const int error = check_leader(check, arguments);
    if (error != MPI_SUCCESS) return error;
    const Communicator& peers = *find_communicator(arguments.peer_comm);
    counterpart = {derive_context(peers.context(), ~std::uint64_t{1}, static_cast<std::uint64_t>(arguments.tag)),
                   peers.peer(arguments.remote_leader)};
  }
  CommunicatorRef made;
  const int error = connect(local_comm, local, arguments.local_leader, counterpart, made);
  if (error == MPI_SUCCESS) *newcomm = communicators().add(made, *local);
  return error;
}

// A group of a session, and the leader's rank in it.
struct GroupAndLeader {
  MPI_Group group;
  int leader;
};

struct MakingArguments {
  const char* name;
  MPI_Info info;
  MPI_Errhandler handler;
};

int create_from_groups(const GroupAndLeader& local, const GroupAndLeader& remote, const MakingArguments& arguments,
                       MPI_Comm* newcomm) {
  MPI_Comm own = MPI_COMM_NULL;
  const int error = calls::Comm_create_from_group(local.group, arguments.name, arguments.info, arguments.handler, &own);
  if (error != MPI_SUCCESS) return error;
  Arguments check(own);
  check.pointer(newcomm, "newintercomm").leader(local.leader);
  Counterpart counterpart;
  if (!check.failed() && check.communicator()->rank() == local.leader) {
    const Group* group = find_group(remote.group);
    check.require(group != nullptr, MPI_ERR_GROUP, "the remote group is MPI_GROUP_NULL, was freed or never existed");
    if (!check.failed())
      check.require(0 <= remote.leader && remote.leader < group->size(), MPI_ERR_RANK,
                    "the remote leader is not in the remote group");
    if (!check.failed())
      counterpart = {derive_context(space_of_text(arguments.name), 0, 3),
                     ActorId{static_cast<std::uint32_t>(group->process(remote.leader))}};
  }
  if (check.failed()) return check.error();
  const CommunicatorRef local_communicator = check.communicator();
  CommunicatorRef made;
  const int failure = connect(own, local_communicator, local.leader, counterpart, made);
  if (failure == MPI_SUCCESS) *newcomm = communicators().add(made, *local_communicator);
  communicators().remove(own);
  return failure;
}

int merge(MPI_Comm comm, int high, MPI_Comm* newcomm) {
  Arguments check(comm);
  check.pointer(newcomm, "newintracomm");
  if (!check.failed())
    check.require(check.communicator()->is_inter(), MPI_ERR_COMM,
                  "the communicator to merge is not an intercommunicator");
  if (check.failed()) return check.error();
  const CommunicatorRef parent = check.communicator();
  const std::uint64_t context = derive_context(parent->context(), parent->next_child(), 0);
  const std::uint8_t mine = high != 0 ? 1 : 0;
  std::uint8_t theirs = 0;
  Contribution contribution;
  contribution.data = std::as_bytes(std::span(&mine, 1));
  contribution.between_groups = true;
  const int error = run_collective(parent, {"MPI_Intercomm_merge"}, contribution, {[&](Contributions from) {
                                     const auto& given = from[parent->first_peer()];
                                     if (!given.empty()) theirs = static_cast<std::uint8_t>(given[0]);
                                     return Trouble{};
                                   }});
  if (error != MPI_SUCCESS) return error;
  // If both sides pass the same value, the order is free, but must be the same on both sides.
  const bool local_first = mine != theirs ? mine == 0 : parent->first_peer() != 0;
  std::vector<ActorId> members = local_first ? parent->members() : parent->remote_members();
  const std::vector<ActorId>& others = local_first ? parent->remote_members() : parent->members();
  members.insert(members.end(), others.begin(), others.end());
  *newcomm = communicators().add(make_communicator(context, members, "merge of " + parent->description()), *parent);
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag,
                     MPI_Comm* newintercomm) {
  return create(local_comm, {local_leader, peer_comm, remote_leader, tag}, newintercomm);
}

int Intercomm_create_from_groups(MPI_Group local_group, int local_leader, MPI_Group remote_group, int remote_leader,
                                 const char* stringtag, MPI_Info info, MPI_Errhandler errhandler,
                                 MPI_Comm* newintercomm) {
  return create_from_groups({local_group, local_leader}, {remote_group, remote_leader}, {stringtag, info, errhandler},
                            newintercomm);
}

int Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm* newintracomm) {
  return merge(intercomm, high, newintracomm);
}

}  // namespace rehearse::smpi::calls
