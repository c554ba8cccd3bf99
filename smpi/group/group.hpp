// SPDX-License-Identifier: MIT
//
// Groups: ordered sets of processes. Immutable.
//
// Words:  a *process* is a rank of MPI_COMM_WORLD, an actor; a *rank* is an index into the group.
// Shape:  a group whose processes are first, first + step, first + 2 step... keeps no table (most
//         groups: the world, halves of it, its rows and columns); any other one keeps a list and
//         its inverse.
// Source: MPI 5.0, 7.3.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "mpi.h"
#include "smpi/handle_registry.hpp"
#include "smpi/shared_object.hpp"

namespace rehearse::smpi {

class Group;
using GroupRef = Ref<const Group>;

class Group final : public SharedObject {
 public:
  // Processes first, first + step...; step is not 0, except for groups of at most one.
  struct Progression {
    int first = 0;
    int step = 1;
    int size = 0;
  };

  explicit Group(std::span<const int> processes);  // in rank order, no duplicates (asserted)
  explicit Group(Progression processes, Lifetime lifetime = Lifetime::counted);

  static GroupRef identity(int size);  // processes 0 .. size-1
  static GroupRef empty();             // MPI_GROUP_EMPTY

  int size() const { return progression_.size; }
  // The process with this rank, 0 .. size-1 (asserted).
  int process(int rank) const;
  // The rank of this process, or MPI_UNDEFINED.
  int rank_of(int process) const;

 private:
  Progression progression_;                   // first and step only if there is no table
  std::vector<int> processes_;                // by rank
  std::vector<std::pair<int, int>> inverse_;  // (process, rank), ascending
};

// MPI_IDENT, MPI_SIMILAR or MPI_UNEQUAL.
int compare(const Group& a, const Group& b);

GroupRef set_union(const Group& a, const Group& b);
GroupRef set_intersection(const Group& a, const Group& b);
GroupRef set_difference(const Group& a, const Group& b);
// The processes with these ranks (valid, no duplicates), in this order; and those without them.
GroupRef include(const Group& group, std::span<const int> ranks);
GroupRef exclude(const Group& group, std::span<const int> ranks);

struct GroupTable {
  HandleRegistry<MPI_Group, GroupRef, HandleKind::group> made;
  std::map<MPI_Group, MPI_Session> sessions;  // of the groups that come from one
};

// Of the calling rank.
GroupTable& groups();

// The group of the handle, or null: MPI_GROUP_NULL, freed, or no group.
const Group* find_group(MPI_Group handle);

// A new handle of the calling rank for the group; MPI_GROUP_EMPTY for an empty one.
MPI_Group add_group(GroupRef group, MPI_Session session = MPI_SESSION_NULL);

// The session that a group comes from, or MPI_SESSION_NULL.
MPI_Session session_of_group(MPI_Group group);

}  // namespace rehearse::smpi
