// SPDX-License-Identifier: MIT
//
// Group algebra against ordered lists and std::set.
#include "smpi/group/group.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <set>

namespace group_test {

using namespace rehearse::smpi;

namespace {

std::vector<int> processes_of(const Group& group) {
  std::vector<int> all;
  for (int rank = 0; rank < group.size(); ++rank) all.push_back(group.process(rank));
  return all;
}

GroupRef group_of(const std::vector<int>& processes) {
  return processes.empty() ? Group::empty() : GroupRef(new Group(processes));
}

// Every ordered selection of at most `most` of the processes 0 .. n-1, plus some progressions.
std::vector<std::vector<int>> selections(int n, std::size_t most) {
  std::vector<std::vector<int>> all{{}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].size() == most) continue;
    for (int process = 0; process < n; ++process) {
      if (std::count(all[i].begin(), all[i].end(), process) != 0) continue;
      all.push_back(all[i]);
      all.back().push_back(process);
    }
  }
  return all;
}

}  // namespace

TEST_CASE("group: ranks and processes are each other's inverse", "[smpi][group]") {
  for (const std::vector<int>& list : selections(5, 5)) {
    const GroupRef group = group_of(list);
    CHECK(processes_of(*group) == list);
    for (int process = -2; process < 8; ++process) {
      const auto found = std::find(list.begin(), list.end(), process);
      CHECK(group->rank_of(process) == (found == list.end() ? MPI_UNDEFINED : static_cast<int>(found - list.begin())));
    }
  }
  CHECK(processes_of(*Group::identity(3)) == std::vector{0, 1, 2});
  CHECK(Group::identity(0).get() == Group::empty().get());
}

TEST_CASE("group: union, intersection, difference and comparison of all small groups", "[smpi][group]") {
  const auto lists = selections(4, 3);
  for (const auto& a : lists)
    for (const auto& b : lists) {
      const std::set<int> in_a(a.begin(), a.end()), in_b(b.begin(), b.end());
      std::vector<int> both, only_a, either = a;
      for (const int process : a) (in_b.count(process) != 0 ? both : only_a).push_back(process);
      for (const int process : b)
        if (in_a.count(process) == 0) either.push_back(process);
      const GroupRef x = group_of(a), y = group_of(b);
      CHECK(processes_of(*set_union(*x, *y)) == either);
      CHECK(processes_of(*set_intersection(*x, *y)) == both);
      CHECK(processes_of(*set_difference(*x, *y)) == only_a);
      CHECK(compare(*x, *y) == (a == b ? MPI_IDENT : in_a == in_b ? MPI_SIMILAR : MPI_UNEQUAL));
    }
}

TEST_CASE("group: inclusion keeps the requested order, exclusion the order of the group", "[smpi][group]") {
  const GroupRef group = group_of({7, 3, 9, 1});
  CHECK(processes_of(*include(*group, std::vector{2, 0})) == std::vector{9, 7});
  CHECK(processes_of(*exclude(*group, std::vector{2, 0})) == std::vector{3, 1});
  CHECK(include(*group, {}).get() == Group::empty().get());
  CHECK(exclude(*group, std::vector{0, 1, 2, 3})->size() == 0);
}

}  // namespace group_test
