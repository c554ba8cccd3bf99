// SPDX-License-Identifier: MIT
//
// A communicator from the view of one member, and the table of the calling rank's communicators.
//
// Shape:     members[r] is the actor with rank r; `rank` is the caller's own. An intercommunicator
//            has a second group, the remote one: its ranks are the peers that messages name.
// Contexts:  each communicator has two matching spaces, one for messages and one for collectives. Each member computes
//            the contexts of a new communicator from data that all members have (see derive_context), so they agree
//            without messages.
// Ownership: shared between the table and pending requests: a freed communicator lives until those
//            are complete.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mpi.h"
#include "simcore/actor_lists.hpp"
#include "simcore/ids.hpp"
#include "smpi/handle_registry.hpp"
#include "smpi/shared_object.hpp"
#include "smpi/topology/topology.hpp"

namespace rehearse::smpi {

// The actors of a group by rank, and their ranks: one table for all ranks that know the same group.
class RankMap {
 public:
  RankMap(std::span<const ActorId> actors);
  RankMap(const std::vector<ActorId>& actors) : RankMap(std::span(actors)) {}
  static RankMap first(std::uint32_t count);  // actors 0 to count - 1
  static RankMap none() { return RankMap(std::span<const ActorId>()); }

  const std::vector<ActorId>& actors() const { return list_->actors; }
  int size() const { return static_cast<int>(list_->actors.size()); }
  ActorId actor_of(int rank) const { return list_->actors[static_cast<std::size_t>(rank)]; }
  // The rank of an actor, or MPI_UNDEFINED.
  int rank_of(ActorId actor) const;

 private:
  explicit RankMap(const ActorList& list) : list_(&list) {}
  const ActorList* list_;
};

class Communicator : public SharedObject {
 public:
  // `context` is even. `origin` is text for reports: "dup of MPI_COMM_WORLD". `remote` is empty except for an
  // intercommunicator.
  Communicator(std::uint64_t context, RankMap members, std::string origin, RankMap remote = RankMap::none());

  int size() const { return local_.size(); }
  int rank() const { return rank_; }
  const std::vector<ActorId>& members() const { return local_.actors(); }
  const RankMap& local_map() const { return local_; }
  const RankMap& remote_map() const { return remote_; }
  ActorId actor_of(int rank) const { return local_.actor_of(rank); }
  // The rank of an actor in this communicator, or MPI_UNDEFINED.
  int rank_of(ActorId actor) const { return local_.rank_of(actor); }

  bool is_inter() const { return remote_.size() > 0; }
  const std::vector<ActorId>& remote_members() const { return remote_.actors(); }

  // The processes that messages of the caller can name: the members, or the remote group.
  int peers() const { return is_inter() ? remote_.size() : size(); }
  ActorId peer(int rank) const { return (is_inter() ? remote_ : local_).actor_of(rank); }
  int peer_rank_of(ActorId actor) const { return (is_inter() ? remote_ : local_).rank_of(actor); }

  // The participants of collectives, in the same order on all of them, and the index of the first peer.
  const std::vector<ActorId>& all_members() const { return all_members_.actors(); }
  std::size_t first_peer() const { return first_peer_; }
  // On an intercommunicator: the size of the group that comes first.
  std::uint32_t first_group_size() const {
    return first_peer_ == 0 ? static_cast<std::uint32_t>(peers()) : static_cast<std::uint32_t>(first_peer_);
  }

  std::uint64_t context() const { return context_; }
  ContextId message_context() const { return {context_}; }
  ContextId collective_context() const { return {context_ + 1}; }

  // Numbers the communicators that are made from this one, the same on every member.
  std::uint64_t next_child() { return children_++; }

  // The name in reports: the name from the program, MPI_COMM_WORLD, or "comm#1 (dup of MPI_COMM_WORLD)".
  std::string description() const;
  // The same without the origin: "comm#1".
  std::string short_description() const;

  MPI_Comm handle = MPI_COMM_NULL;
  std::uint32_t number = 0;  // of the rank's created communicators, from 1; 0: predefined
  std::string name;          // of MPI_Comm_set_name; initially as the standard requires
  MPI_Errhandler error_handler = MPI_ERRORS_ARE_FATAL;
  MPI_Session session = MPI_SESSION_NULL;                  // the session of its group
  std::vector<std::pair<std::string, std::string>> hints;  // MPI_Comm_set_info
  Topology topology;
  CreationSite pending_since;  // of MPI_Comm_idup: the call, until it is complete; otherwise empty

 private:
  std::uint64_t context_;
  RankMap local_;
  RankMap remote_;
  RankMap all_members_;
  std::size_t first_peer_ = 0;
  std::string origin_;
  int rank_ = MPI_UNDEFINED;
  std::uint64_t children_ = 0;
};

using CommunicatorRef = Ref<Communicator>;

// The communicators of the calling rank.
class Communicators {
 public:
  Communicators();

  // Null if the handle is MPI_COMM_NULL, was freed, or was never a communicator.
  const CommunicatorRef* find(MPI_Comm handle) const;

  // Adds a new communicator, which inherits the error handler and the session of `parent`. Sets and returns its handle.
  MPI_Comm add(CommunicatorRef communicator, const Communicator& parent);
  void remove(MPI_Comm handle);

  const CommunicatorRef& world() const { return world_; }
  const CommunicatorRef& self() const { return self_; }

  // The created communicators that are not freed.
  const auto& created() const { return created_; }

 private:
  CommunicatorRef world_;
  CommunicatorRef self_;
  std::uint32_t count_ = 0;
  HandleRegistry<MPI_Comm, CommunicatorRef, HandleKind::communicator> created_;
};

Communicators& communicators();

// Null if there is no such communicator.
Communicator* find_communicator(MPI_Comm handle);

// The context of a communicator made from `parent`: `child` distinguishes the calls on the parent, `part` the
// communicators of one call (a color, a leader). Even.
std::uint64_t derive_context(std::uint64_t parent, std::uint64_t child, std::uint64_t part);

}  // namespace rehearse::smpi
