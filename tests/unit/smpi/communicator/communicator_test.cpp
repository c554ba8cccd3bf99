// SPDX-License-Identifier: MIT
//
// Communicators: how they are made, kept apart, compared, named and freed.
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "smpi/abi/calls.hpp"
#include "smpi/communicator/communicator.hpp"
#include "tests/support/mpi_ranks.hpp"

namespace communicator_test {

using namespace rehearse;
using namespace rehearse::tests;
namespace calls = rehearse::smpi::calls;

namespace {

const MPI_Comm world = MPI_COMM_WORLD;

int size_of(MPI_Comm comm) {
  int size = -1;
  calls::Comm_size(comm, &size);
  return size;
}

int rank_in(MPI_Comm comm) {
  int rank = -1;
  calls::Comm_rank(comm, &rank);
  return rank;
}

int comparison(MPI_Comm a, MPI_Comm b) {
  int result = -1;
  calls::Comm_compare(a, b, &result);
  return result;
}

// The sum of the world ranks of the members: says who they are, through the communicator itself.
int sum_of_world_ranks(MPI_Comm comm) {
  int mine = rank_in(world), sum = -1;
  calls::Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
  return sum;
}

}  // namespace

TEST_CASE("communicator: the predefined ones have their ranks and sizes", "[smpi][communicator]") {
  const auto result = run_ranks(3, [](int rank) {
    CHECK((size_of(world) == 3 && rank_in(world) == rank));
    CHECK((size_of(MPI_COMM_SELF) == 1 && rank_in(MPI_COMM_SELF) == 0));
    CHECK(comparison(world, world) == MPI_IDENT);
    CHECK(comparison(world, MPI_COMM_SELF) == MPI_UNEQUAL);
    int flag = -1;
    MPI_Comm parent = world;
    calls::Comm_test_inter(world, &flag);
    CHECK(flag == 0);
    calls::Comm_get_parent(&parent);
    CHECK(parent == MPI_COMM_NULL);
  });
  CHECK(result.all_ended());
}

TEST_CASE("dup: the new communicator has the same members and a separate space of messages", "[smpi][communicator]") {
  const int how = GENERATE(0, 1, 2);
  const auto result = run_ranks(2, [&](int rank) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    if (how == 0) calls::Comm_dup(world, &copy);
    if (how == 1) calls::Comm_dup_with_info(world, MPI_INFO_NULL, &copy);
    if (how == 2) calls::Comm_idup(world, &copy, &request);
    calls::Wait(&request, MPI_STATUS_IGNORE);
    CHECK(comparison(world, copy) == MPI_CONGRUENT);
    int in_world = 1, in_copy = 2;
    if (rank == 0) {
      calls::Send(&in_world, 1, MPI_INT, 1, 0, world);
      calls::Send(&in_copy, 1, MPI_INT, 1, 0, copy);
    } else {
      calls::Recv(&in_copy, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, copy, MPI_STATUS_IGNORE);
      calls::Recv(&in_world, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, MPI_STATUS_IGNORE);
    }
    CHECK((in_world == 1 && in_copy == 2));
    calls::Comm_free(&copy);
    CHECK(copy == MPI_COMM_NULL);
  });
  CHECK(result.all_ended());
  CHECK(result.reports.empty());
}

TEST_CASE("split: groups by color, ordered by key, then by rank", "[smpi][communicator]") {
  const auto result = run_ranks(5, [](int rank) {
    MPI_Comm half = MPI_COMM_NULL;
    const int color = rank == 4 ? MPI_UNDEFINED : rank % 2;
    calls::Comm_split(world, color, -rank, &half);
    if (rank == 4) {
      CHECK(half == MPI_COMM_NULL);
      return;
    }
    CHECK(size_of(half) == 2);
    CHECK(rank_in(half) == (rank < 2 ? 1 : 0));
    CHECK(sum_of_world_ranks(half) == (color == 0 ? 2 : 4));
    int got = -1;
    MPI_Status status{};
    calls::Sendrecv(&rank, 1, MPI_INT, 1 - rank_in(half), 0, &got, 1, MPI_INT, MPI_ANY_SOURCE, 0, half, &status);
    CHECK(got == (rank + 2) % 4);
    CHECK(status.MPI_SOURCE == 1 - rank_in(half));
    calls::Comm_free(&half);
  });
  CHECK(result.all_ended());
}

TEST_CASE("split: a communicator made by a split can be split again", "[smpi][communicator]") {
  const auto result = run_ranks(4, [](int rank) {
    MPI_Comm half = MPI_COMM_NULL, one = MPI_COMM_NULL, again = MPI_COMM_NULL;
    calls::Comm_split(world, rank / 2, 0, &half);
    CHECK(rank_in(half) == rank % 2);
    calls::Comm_split(half, rank_in(half), 0, &one);
    CHECK(size_of(one) == 1);
    calls::Comm_dup(half, &again);
    CHECK(sum_of_world_ranks(again) == (rank < 2 ? 1 : 5));
    for (MPI_Comm* comm : {&half, &one, &again}) calls::Comm_disconnect(comm);
  });
  CHECK(result.all_ended());
}

TEST_CASE("create: works for disjoint groups at once, and gives null outside of them", "[smpi][communicator]") {
  const auto result = run_ranks(5, [](int rank) {
    MPI_Group all = MPI_GROUP_NULL, mine = MPI_GROUP_NULL;
    calls::Comm_group(world, &all);
    const std::array low{1, 0}, high{2, 3};
    calls::Group_incl(all, 2, rank < 2 ? low.data() : high.data(), &mine);
    MPI_Comm comm = MPI_COMM_NULL;
    calls::Comm_create(world, rank == 4 ? MPI_GROUP_EMPTY : mine, &comm);
    if (rank == 4) {
      CHECK(comm == MPI_COMM_NULL);
    } else {
      CHECK(rank_in(comm) == (rank < 2 ? 1 - rank : rank - 2));
      CHECK(sum_of_world_ranks(comm) == (rank < 2 ? 1 : 5));
      calls::Comm_free(&comm);
    }
    calls::Group_free(&mine);
    calls::Group_free(&all);
  });
  CHECK(result.all_ended());
  CHECK(result.reports.empty());
}

TEST_CASE("create_group: only the members take part, repeatedly", "[smpi][communicator]") {
  const auto result = run_ranks(3, [](int rank) {
    if (rank == 1) return;
    MPI_Group all = MPI_GROUP_NULL, ends = MPI_GROUP_NULL;
    calls::Comm_group(world, &all);
    const std::array ranks{0, 2};
    calls::Group_incl(all, 2, ranks.data(), &ends);
    std::array<MPI_Comm, 2> comms{};
    for (MPI_Comm& comm : comms) calls::Comm_create_group(world, ends, 7, &comm);
    CHECK(comparison(comms[0], comms[1]) == MPI_CONGRUENT);
    int value = 10 + rank, got = -1;
    calls::Sendrecv(&value, 1, MPI_INT, 1 - rank_in(comms[0]), 0, &got, 1, MPI_INT, MPI_ANY_SOURCE, 0, comms[1],
                    MPI_STATUS_IGNORE);
    CHECK(got == (rank == 0 ? 12 : 10));
    for (MPI_Comm& comm : comms) calls::Comm_free(&comm);
    calls::Group_free(&ends);
    calls::Group_free(&all);
  });
  CHECK(result.all_ended());
}

TEST_CASE("communicator: a name that was set is returned and used in descriptions", "[smpi][communicator]") {
  const auto result = run_ranks(1, [](int) {
    std::array<char, MPI_MAX_OBJECT_NAME> name{};
    int length = -1;
    calls::Comm_get_name(world, name.data(), &length);
    CHECK((std::string(name.data()) == "MPI_COMM_WORLD" && length == 14));
    MPI_Comm first = MPI_COMM_NULL, second = MPI_COMM_NULL;
    calls::Comm_dup(world, &first);
    calls::Comm_get_name(first, name.data(), &length);
    CHECK(length == 0);
    CHECK(smpi::find_communicator(first)->description() == "comm#1 (dup of MPI_COMM_WORLD)");
    calls::Comm_set_name(first, "rows");
    calls::Comm_split(first, 3, 0, &second);
    CHECK(smpi::find_communicator(second)->description() == "comm#2 (split of rows, color 3)");
    const std::string long_name(500, 'x');
    calls::Comm_set_name(second, long_name.c_str());
    calls::Comm_get_name(second, name.data(), &length);
    CHECK(length == MPI_MAX_OBJECT_NAME - 1);
    calls::Comm_free(&first);
    calls::Comm_free(&second);
  });
  CHECK(result.all_ended());
}

TEST_CASE("communicator: a freed or unknown communicator is an error", "[smpi][communicator]") {
  const int how = GENERATE(0, 1, 2, 3);
  const auto result = run_ranks(1, [&](int) {
    MPI_Comm comm = MPI_COMM_NULL, predefined = world;
    calls::Comm_dup(world, &comm);
    MPI_Comm stale = comm;
    calls::Comm_free(&comm);
    int value = 0;
    if (how == 0) calls::Comm_rank(stale, &value);
    if (how == 1) calls::Comm_free(&stale);
    if (how == 2) calls::Comm_free(&predefined);
    if (how == 3) calls::Comm_remote_size(world, &value);
  });
  CHECK(result.actors[0].id == "argument.communicator");
}

TEST_CASE("communicator: freed while a receive is pending, it lives until the receive is complete",
          "[smpi][communicator]") {
  const auto result = run_ranks(2, [](int rank) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    int value = rank == 0 ? 5 : 0;
    calls::Comm_dup(world, &copy);
    if (rank == 0) calls::Isend(&value, 1, MPI_INT, 1, 0, copy, &request);
    if (rank == 1) calls::Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, copy, &request);
    calls::Comm_free(&copy);
    MPI_Status status{};
    calls::Wait(&request, &status);
    CHECK(value == 5);
    if (rank == 1) CHECK(status.MPI_SOURCE == 0);
  });
  CHECK(result.all_ended());
}

TEST_CASE("split: a negative color is an error", "[smpi][communicator]") {
  const auto result = run_ranks(1, [](int) {
    MPI_Comm comm = MPI_COMM_NULL;
    calls::Comm_split(world, -5, 0, &comm);
  });
  CHECK(result.actors[0].id == "argument.value");
  CHECK(result.actors[0].what == "the color is -5; it must not be negative, unless it is MPI_UNDEFINED");
}

}  // namespace communicator_test
