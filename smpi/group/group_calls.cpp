// SPDX-License-Identifier: MIT
//
// The functions on groups.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/group/group.hpp"
#include "smpi/wrong_handle.hpp"

namespace rehearse::smpi {
namespace {

const Group* any_group(Arguments& check, MPI_Group handle) {
  if (check.failed()) return nullptr;
  const Group* group = find_group(handle);
  if (group == nullptr) check.require(false, MPI_ERR_GROUP, wrong_handle(Kind::group, handle));
  return group;
}

// Raises an error unless the ranks are ranks of the group, none of them twice.
void check_ranks(Arguments& check, const Group* group, std::span<const int> ranks) {
  if (check.failed()) return;
  std::vector<bool> seen(static_cast<std::size_t>(group->size()));
  for (const int rank : ranks) {
    const std::string name = fmt::format("rank {}", rank);
    check.require(0 <= rank && rank < group->size(), MPI_ERR_RANK,
                  [&] { return fmt::format("{} is not in the group, which has {} processes", name, group->size()); });
    if (check.failed()) return;
    check.require(!seen[static_cast<std::size_t>(rank)], MPI_ERR_RANK, name + " is given twice");
    seen[static_cast<std::size_t>(rank)] = true;
  }
}

// The ranks that the triplets (first, last, stride) stand for.
std::vector<int> ranks_of_ranges(Arguments& check, const Group* group, int n, const int (*ranges)[3]) {
  std::vector<int> ranks;
  for (int i = 0; i < n && !check.failed(); ++i) {
    const auto& [first, last, stride] = ranges[i];
    const std::string name = fmt::format("range {}", i);
    check.require(stride != 0, MPI_ERR_ARG, name + " has stride 0");
    for (const int end : {first, last})
      check.require(0 <= end && end < group->size(), MPI_ERR_RANK,
                    [&] { return fmt::format("{} ends at rank {}, which is not in the group", name, end); });
    if (check.failed()) break;
    const long long step = stride;  // a sum may leave the range of int
    for (long long rank = first; step > 0 ? rank <= last : rank >= last; rank += step)
      ranks.push_back(static_cast<int>(rank));
  }
  check_ranks(check, group, ranks);
  return ranks;
}

using SetFunction = GroupRef (*)(const Group&, const Group&);

int combine(SetFunction function, MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) {
  Arguments check;
  check.pointer(newgroup, "newgroup");
  const Group* a = any_group(check, group1);
  const Group* b = any_group(check, group2);
  if (!check.failed()) *newgroup = add_group(function(*a, *b), session_of_group(group1));
  return check.error();
}

using SelectFunction = GroupRef (*)(const Group&, std::span<const int>);

// The ranks of a group that a function chooses: a list, or the same as ranges.
struct Selection {
  int n;
  const int* ranks;
  const int (*ranges)[3];
};

int select(SelectFunction function, MPI_Group group, const Selection& selection, MPI_Group* newgroup) {
  Arguments check;
  check.count(selection.n, "n").pointer(newgroup, "newgroup");
  const Group* from = any_group(check, group);
  const bool is_list = selection.ranks != nullptr;
  if (selection.n > 0 && !is_list) check.pointer(selection.ranges, "ranks");
  if (check.failed()) return check.error();
  std::vector<int> ranks;
  if (is_list) {
    ranks.assign(selection.ranks, selection.ranks + selection.n);
    check_ranks(check, from, ranks);
  } else {
    ranks = ranks_of_ranges(check, from, selection.n, selection.ranges);
  }
  if (!check.failed()) *newgroup = add_group(function(*from, ranks), session_of_group(group));
  return check.error();
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Group_size(MPI_Group group, int* size) {
  Arguments check;
  check.pointer(size, "size");
  const Group* object = any_group(check, group);
  if (object != nullptr) *size = object->size();
  return check.error();
}

int Group_rank(MPI_Group group, int* rank) {
  Arguments check;
  check.pointer(rank, "rank");
  const Group* object = any_group(check, group);
  if (object != nullptr) *rank = object->rank_of(static_cast<int>(current_actor().value));
  return check.error();
}

int Group_translate_ranks(MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[]) {
  Arguments check;
  check.count(n, "n");
  if (n > 0) check.pointer(ranks1, "ranks1").pointer(ranks2, "ranks2");
  const Group* from = any_group(check, group1);
  const Group* to = any_group(check, group2);
  for (int i = 0; i < n && !check.failed(); ++i) {
    if (ranks1[i] == MPI_PROC_NULL) {
      ranks2[i] = MPI_PROC_NULL;
      continue;
    }
    check.require(0 <= ranks1[i] && ranks1[i] < from->size(), MPI_ERR_RANK,
                  [&] { return fmt::format("ranks1[{}] is {}, which is not in the group", i, ranks1[i]); });
    if (!check.failed()) ranks2[i] = to->rank_of(from->process(ranks1[i]));
  }
  return check.error();
}

int Group_compare(MPI_Group group1, MPI_Group group2, int* result) {
  Arguments check;
  check.pointer(result, "result");
  const Group* a = any_group(check, group1);
  const Group* b = any_group(check, group2);
  if (!check.failed()) *result = compare(*a, *b);
  return check.error();
}

int Group_union(MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) {
  return combine(set_union, group1, group2, newgroup);
}

int Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) {
  return combine(set_intersection, group1, group2, newgroup);
}

int Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) {
  return combine(set_difference, group1, group2, newgroup);
}

int Group_incl(MPI_Group group, int n, const int ranks[], MPI_Group* newgroup) {
  return select(include, group, {n, ranks, nullptr}, newgroup);
}

int Group_excl(MPI_Group group, int n, const int ranks[], MPI_Group* newgroup) {
  return select(exclude, group, {n, ranks, nullptr}, newgroup);
}

int Group_range_incl(MPI_Group group, int n, int ranges[][3], MPI_Group* newgroup) {
  return select(include, group, {n, nullptr, ranges}, newgroup);
}

int Group_range_excl(MPI_Group group, int n, int ranges[][3], MPI_Group* newgroup) {
  return select(exclude, group, {n, nullptr, ranges}, newgroup);
}

int Group_free(MPI_Group* group) {
  Arguments check;
  check.pointer(group, "group");
  if (check.failed()) return check.error();
  any_group(check, *group);
  if (check.failed()) return check.error();
  // Many functions return MPI_GROUP_EMPTY, so programs free it as they free any other.
  if (*group != MPI_GROUP_EMPTY) {
    groups().made.erase(*group);
    groups().sessions.erase(*group);
  }
  *group = MPI_GROUP_NULL;
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
