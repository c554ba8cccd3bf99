// SPDX-License-Identifier: MIT
//
// The functions on groups as programs call them.
#include <catch2/catch.hpp>
#include <vector>

#include "smpi/group/group.hpp"
#include "tests/unit/smpi/on_rank.hpp"

using namespace rehearse::smpi;
using namespace rehearse::tests;

namespace {

std::vector<int> processes_of(MPI_Group group) {
  const Group* object = find_group(group);
  REQUIRE(object != nullptr);
  std::vector<int> all;
  for (int rank = 0; rank < object->size(); ++rank) all.push_back(object->process(rank));
  return all;
}

}  // namespace

TEST_CASE("group calls: lists, ranges and sets", "[smpi][group]") {
  CHECK(on_rank([] {
          MPI_Group ten = add_group(Group::identity(10)), a, b, c;
          const int list[] = {7, 0, 3};
          CHECK(calls::Group_incl(ten, 3, list, &a) == MPI_SUCCESS);
          CHECK(processes_of(a) == std::vector{7, 0, 3});
          int ranges[][3] = {{8, 2, -3}, {9, 9, 1}};
          CHECK(calls::Group_range_incl(ten, 2, ranges, &b) == MPI_SUCCESS);
          CHECK(processes_of(b) == std::vector{8, 5, 2, 9});
          CHECK(calls::Group_union(a, b, &c) == MPI_SUCCESS);
          CHECK(processes_of(c) == std::vector{7, 0, 3, 8, 5, 2, 9});
          const int ranks[] = {0, MPI_PROC_NULL, 3};
          int translated[3];
          CHECK(calls::Group_translate_ranks(b, 3, ranks, c, translated) == MPI_SUCCESS);
          CHECK(std::vector(translated, translated + 3) == std::vector{3, MPI_PROC_NULL, 6});
          CHECK(calls::Group_translate_ranks(b, 1, ranks, a, translated) == MPI_SUCCESS);
          CHECK(translated[0] == MPI_UNDEFINED);
          int rank = 0, size = 0, result = 0;
          CHECK(calls::Group_rank(a, &rank) == MPI_SUCCESS);
          CHECK(rank == 1);
          CHECK(calls::Group_rank(b, &rank) == MPI_SUCCESS);
          CHECK(rank == MPI_UNDEFINED);
          CHECK(calls::Group_size(c, &size) == MPI_SUCCESS);
          CHECK(size == 7);
          CHECK(calls::Group_compare(a, b, &result) == MPI_SUCCESS);
          CHECK(result == MPI_UNEQUAL);
          for (MPI_Group* group : {&c, &b, &a, &ten}) CHECK(calls::Group_free(group) == 0);
          CHECK(groups().made.live() == 0);
        }).all_ended());
}

TEST_CASE("group calls: an empty result is MPI_GROUP_EMPTY, which may be freed", "[smpi][group]") {
  CHECK(on_rank([] {
          MPI_Group three = add_group(Group::identity(3)), none, all;
          CHECK(calls::Group_difference(three, three, &none) == MPI_SUCCESS);
          CHECK(none == MPI_GROUP_EMPTY);
          CHECK(calls::Group_free(&none) == MPI_SUCCESS);
          CHECK(none == MPI_GROUP_NULL);
          int ranges[1][3] = {{0, 2, 1}};
          CHECK(calls::Group_range_excl(three, 1, ranges, &none) == MPI_SUCCESS);
          CHECK(none == MPI_GROUP_EMPTY);
          CHECK(calls::Group_excl(three, 0, nullptr, &all) == MPI_SUCCESS);
          CHECK(processes_of(all) == std::vector{0, 1, 2});
          calls::Group_free(&all);
          calls::Group_free(&three);
        }).all_ended());
}

TEST_CASE("group calls: wrong arguments are named", "[smpi][group]") {
  CHECK(on_rank([] {
          MPI_Group three = add_group(Group::identity(3)), made = MPI_GROUP_NULL;
          const int outside[] = {3}, twice[] = {1, 1};
          int zero[1][3] = {{0, 1, 0}}, far[1][3] = {{0, 3, 1}}, overlap[2][3] = {{0, 1, 1}, {1, 2, 1}};
          int size = 0;
          CHECK(calls::Group_incl(three, 1, outside, &made) == MPI_ERR_RANK);
          CHECK(calls::Group_incl(three, 2, twice, &made) == MPI_ERR_RANK);
          CHECK(calls::Group_incl(three, -1, outside, &made) == MPI_ERR_COUNT);
          CHECK(calls::Group_range_incl(three, 1, zero, &made) == MPI_ERR_ARG);
          CHECK(calls::Group_range_incl(three, 1, far, &made) == MPI_ERR_RANK);
          CHECK(calls::Group_range_incl(three, 2, overlap, &made) == MPI_ERR_RANK);
          CHECK(calls::Group_size(MPI_GROUP_NULL, &size) == MPI_ERR_GROUP);
          MPI_Group copy = three;
          calls::Group_free(&three);
          CHECK(calls::Group_size(copy, &size) == MPI_ERR_GROUP);
        }).all_ended());
}
