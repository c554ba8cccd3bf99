// SPDX-License-Identifier: MIT
//
// Collectives: who gets what, in place, with varying counts, derived from literal loops over the
// ranks.
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "smpi/abi/calls.hpp"
#include "tests/support/mpi_ranks.hpp"

using namespace rehearse;
using namespace rehearse::tests;
namespace calls = rehearse::smpi::calls;

namespace {

const MPI_Comm world = MPI_COMM_WORLD;

using Ints = std::vector<int>;

// What rank r contributes: `count` numbers that are different for each rank and place.
Ints contribution(int rank, int count) {
  Ints data;
  for (int i = 0; i < count; ++i) data.push_back(100 * rank + i);
  return data;
}

Ints concatenated(int ranks, int count) {
  Ints all;
  for (int r = 0; r < ranks; ++r)
    for (int value : contribution(r, count)) all.push_back(value);
  return all;
}

void wait(MPI_Request& request) { calls::Wait(&request, MPI_STATUS_IGNORE); }

}  // namespace

TEST_CASE("barrier: no rank leaves before all have arrived", "[smpi][collective]") {
  const bool blocking = GENERATE(true, false);
  int arrived = 0;
  const auto result = run_ranks(4, [&](int) {
    ++arrived;
    MPI_Request request = MPI_REQUEST_NULL;
    if (blocking) calls::Barrier(world);
    if (!blocking) {
      calls::Ibarrier(world, &request);
      wait(request);
    }
    CHECK(arrived == 4);
  });
  CHECK(result.all_ended());
  CHECK(result.mismatches.empty());
}

TEST_CASE("bcast: every rank gets the root's data", "[smpi][collective]") {
  const int root = GENERATE(0, 2);
  const int count = GENERATE(0, 3);
  const bool blocking = GENERATE(true, false);
  const auto result = run_ranks(3, [&](int rank) {
    Ints data = contribution(rank, count);
    MPI_Request request = MPI_REQUEST_NULL;
    if (blocking) calls::Bcast(data.data(), count, MPI_INT, root, world);
    if (!blocking) {
      calls::Ibcast(data.data(), count, MPI_INT, root, world, &request);
      wait(request);
    }
    CHECK(data == contribution(root, count));
  });
  CHECK(result.all_ended());
  CHECK(result.mismatches.empty());
}

TEST_CASE("bcast: the root does not wait for the others", "[smpi][collective]") {
  const auto result = run_bare_ranks(2, [](int rank) {
    calls::Init(nullptr, nullptr);
    int value = 0;
    if (rank == 0) calls::Bcast(&value, 1, MPI_INT, 0, world);
    if (rank == 1) calls::Recv(&value, 1, MPI_INT, 0, 0, world, MPI_STATUS_IGNORE);
  });
  CHECK(result.actors[0].state == ActorOutcome::State::ended);
  CHECK(result.actors[1].state == ActorOutcome::State::blocked);
}

TEST_CASE("gather and scatter: blocks go to and come from the root in rank order", "[smpi][collective]") {
  const int root = GENERATE(0, 1);
  const bool in_place = GENERATE(false, true);
  const bool blocking = GENERATE(true, false);
  const auto result = run_ranks(3, [&](int rank) {
    const bool here = in_place && rank == root;
    Ints mine = contribution(rank, 2), all(6, -1);
    MPI_Request request = MPI_REQUEST_NULL;
    if (here) std::copy(mine.begin(), mine.end(), all.begin() + 2 * rank);
    const void* send = here ? MPI_IN_PLACE : mine.data();
    if (blocking) calls::Gather(send, 2, MPI_INT, all.data(), 2, MPI_INT, root, world);
    if (!blocking) calls::Igather(send, 2, MPI_INT, all.data(), 2, MPI_INT, root, world, &request);
    wait(request);
    CHECK(all == (rank == root ? concatenated(3, 2) : Ints(6, -1)));
    Ints back(2, -1);
    void* receive = here ? MPI_IN_PLACE : back.data();
    if (blocking) calls::Scatter(all.data(), 2, MPI_INT, receive, 2, MPI_INT, root, world);
    if (!blocking) calls::Iscatter(all.data(), 2, MPI_INT, receive, 2, MPI_INT, root, world, &request);
    wait(request);
    CHECK(back == (here ? Ints(2, -1) : mine));
  });
  CHECK(result.all_ended());
  CHECK(result.mismatches.empty());
}

TEST_CASE("gatherv and scatterv: blocks of different sizes at any place", "[smpi][collective]") {
  const bool in_place = GENERATE(false, true);
  const bool blocking = GENERATE(true, false);
  const std::array counts{2, 0, 1}, places{3, 0, 1};
  const Ints expected{-1, 200, -1, 0, 1};
  const auto result = run_ranks(3, [&](int rank) {
    const bool here = in_place && rank == 0;
    const int count = counts[static_cast<std::size_t>(rank)];
    Ints mine = contribution(rank, count), all(5, -1), back(3, -1);
    MPI_Request request = MPI_REQUEST_NULL;
    if (here) all[3] = 0, all[4] = 1;
    const void* send = here ? MPI_IN_PLACE : mine.data();
    if (blocking) calls::Gatherv(send, count, MPI_INT, all.data(), counts.data(), places.data(), MPI_INT, 0, world);
    if (!blocking)
      calls::Igatherv(send, count, MPI_INT, all.data(), counts.data(), places.data(), MPI_INT, 0, world, &request);
    wait(request);
    if (rank == 0) CHECK(all == expected);
    void* receive = here ? MPI_IN_PLACE : back.data();
    if (blocking) calls::Scatterv(all.data(), counts.data(), places.data(), MPI_INT, receive, count, MPI_INT, 0, world);
    if (!blocking)
      calls::Iscatterv(all.data(), counts.data(), places.data(), MPI_INT, receive, count, MPI_INT, 0, world, &request);
    wait(request);
    back.resize(static_cast<std::size_t>(count));
    CHECK(back == (here ? Ints(2, -1) : mine));
  });
  CHECK(result.all_ended());
}

TEST_CASE("allgather: every rank gets all blocks, also in place and with varying counts", "[smpi][collective]") {
  const bool in_place = GENERATE(false, true);
  const int kind = GENERATE(0, 1, 2, 3);
  const auto result = run_ranks(3, [&](int rank) {
    Ints mine = contribution(rank, 2), all(6, -1);
    const std::array counts{2, 2, 2}, places{0, 2, 4};
    MPI_Request request = MPI_REQUEST_NULL;
    if (in_place) std::copy(mine.begin(), mine.end(), all.begin() + 2 * rank);
    const void* send = in_place ? MPI_IN_PLACE : mine.data();
    if (kind == 0) calls::Allgather(send, 2, MPI_INT, all.data(), 2, MPI_INT, world);
    if (kind == 1) calls::Iallgather(send, 2, MPI_INT, all.data(), 2, MPI_INT, world, &request);
    if (kind == 2) calls::Allgatherv(send, 2, MPI_INT, all.data(), counts.data(), places.data(), MPI_INT, world);
    if (kind == 3)
      calls::Iallgatherv(send, 2, MPI_INT, all.data(), counts.data(), places.data(), MPI_INT, world, &request);
    wait(request);
    CHECK(all == concatenated(3, 2));
  });
  CHECK(result.all_ended());
  CHECK(result.mismatches.empty());
}

TEST_CASE("alltoall: block j of rank i becomes block i of rank j", "[smpi][collective]") {
  const bool in_place = GENERATE(false, true);
  const bool blocking = GENERATE(true, false);
  const auto result = run_ranks(3, [&](int rank) {
    Ints send = contribution(rank, 3), all(3, -1);
    MPI_Request request = MPI_REQUEST_NULL;
    if (in_place) all = send;
    const void* from = in_place ? MPI_IN_PLACE : send.data();
    if (blocking) calls::Alltoall(from, 1, MPI_INT, all.data(), 1, MPI_INT, world);
    if (!blocking) calls::Ialltoall(from, 1, MPI_INT, all.data(), 1, MPI_INT, world, &request);
    wait(request);
    CHECK(all == Ints{rank, 100 + rank, 200 + rank});
  });
  CHECK(result.all_ended());
  CHECK(result.mismatches.empty());
}

TEST_CASE("alltoallv and alltoallw: blocks of different sizes, places and types", "[smpi][collective]") {
  const int kind = GENERATE(0, 1, 2, 3);
  // Rank i sends j numbers to rank j, so rank j receives j numbers from each.
  const auto result = run_ranks(3, [&](int rank) {
    const Ints send = contribution(rank, 3);
    const std::array send_counts{0, 1, 2}, send_places{0, 0, 1}, counts{rank, rank, rank};
    const std::array places{2 * rank, rank, 0};  // from the last rank to the first
    const std::array byte_places{0, 0, 4}, places_in_bytes{8 * rank, 4 * rank, 0};
    const std::array types{MPI_INT, MPI_INT, MPI_INT};
    Ints all(static_cast<std::size_t>(3 * rank + 1), -1);
    MPI_Request request = MPI_REQUEST_NULL;
    if (kind == 0)
      calls::Alltoallv(send.data(), send_counts.data(), send_places.data(), MPI_INT, all.data(), counts.data(),
                       places.data(), MPI_INT, world);
    if (kind == 1)
      calls::Ialltoallv(send.data(), send_counts.data(), send_places.data(), MPI_INT, all.data(), counts.data(),
                        places.data(), MPI_INT, world, &request);
    if (kind == 2)
      calls::Alltoallw(send.data(), send_counts.data(), byte_places.data(), types.data(), all.data(), counts.data(),
                       places_in_bytes.data(), types.data(), world);
    if (kind == 3)
      calls::Ialltoallw(send.data(), send_counts.data(), byte_places.data(), types.data(), all.data(), counts.data(),
                        places_in_bytes.data(), types.data(), world, &request);
    wait(request);
    if (rank == 0) CHECK(all == Ints{-1});
    if (rank == 1) CHECK(all == Ints{200, 100, 0, -1});
    if (rank == 2) CHECK(all == Ints{201, 202, 101, 102, 1, 2, -1});
  });
  CHECK(result.all_ended());
}

TEST_CASE("collectives: they work on a communicator of one rank", "[smpi][collective]") {
  const auto result = run_ranks(2, [](int rank) {
    int value = rank, got = -1;
    calls::Barrier(MPI_COMM_SELF);
    calls::Allgather(&value, 1, MPI_INT, &got, 1, MPI_INT, MPI_COMM_SELF);
    CHECK(got == rank);
    got = -1;
    calls::Alltoall(&value, 1, MPI_INT, &got, 1, MPI_INT, MPI_COMM_SELF);
    CHECK(got == rank);
    got = -1;
    calls::Scan(&value, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    CHECK(got == rank);
  });
  CHECK(result.all_ended());
}

TEST_CASE("collectives: several pending collectives complete in one wait", "[smpi][collective]") {
  const auto result = run_ranks(2, [](int rank) {
    std::array<MPI_Request, 3> requests{};
    int sum = 0, value = rank + 1, from_zero = rank == 0 ? 9 : 0;
    std::array<int, 2> all{};
    calls::Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, world, &requests[0]);
    calls::Ibcast(&from_zero, 1, MPI_INT, 0, world, &requests[1]);
    calls::Iallgather(&value, 1, MPI_INT, all.data(), 1, MPI_INT, world, &requests[2]);
    calls::Waitall(3, requests.data(), MPI_STATUSES_IGNORE);
    CHECK((sum == 3 && from_zero == 9 && all == std::array{1, 2}));
  });
  CHECK(result.all_ended());
}

TEST_CASE("collectives: members that disagree are named", "[smpi][collective]") {
  const int how = GENERATE(0, 1, 2, 3, 4);
  const auto result = run_bare_ranks(2, [&](int rank) {
    calls::Init(nullptr, nullptr);
    calls::Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    std::array<int, 2> data{}, all{};
    MPI_Request request = MPI_REQUEST_NULL;
    const bool odd = rank == 1;
    if (how == 0) odd ? calls::Barrier(world) : calls::Allreduce(data.data(), all.data(), 1, MPI_INT, MPI_SUM, world);
    if (how == 1) calls::Bcast(data.data(), 1, MPI_INT, rank, world);
    if (how == 2) calls::Allreduce(data.data(), all.data(), 1, MPI_INT, odd ? MPI_SUM : MPI_MAX, world);
    if (how == 3) calls::Bcast(data.data(), odd ? 2 : 1, MPI_INT, 0, world);
    if (how == 4) odd ? calls::Barrier(world) : calls::Ibarrier(world, &request);
  });
  CHECK(result.mismatches.size() == 1);
}

TEST_CASE("collectives: equal types described differently agree", "[smpi][collective]") {
  const auto result = run_ranks(2, [](int rank) {
    std::array<int, 2> data{rank, rank};
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    calls::Type_contiguous(2, MPI_INT, &pair);
    calls::Type_commit(&pair);
    calls::Bcast(data.data(), rank == 0 ? 1 : 2, rank == 0 ? pair : MPI_INT, 0, world);
    CHECK(data == std::array{0, 0});
    calls::Type_free(&pair);
  });
  CHECK(result.all_ended());
  CHECK(result.mismatches.empty());
}

TEST_CASE("collectives: wrong arguments are named", "[smpi][collective]") {
  const auto [how, id] = GENERATE(table<int, std::string>({{0, "argument.root"},
                                                           {1, "argument.operator"},
                                                           {2, "argument.buffer"},
                                                           {3, "argument.count"},
                                                           {4, "argument.buffer"},
                                                           {5, "argument.value"}}));
  const auto result = run_ranks(1, [&, how = how](int) {
    int value = 0, got = 0;
    const int negative = -1;
    if (how == 0) calls::Bcast(&value, 1, MPI_INT, 1, world);
    if (how == 1) calls::Allreduce(&value, &got, 1, MPI_FLOAT, MPI_BAND, world);
    if (how == 2) calls::Allreduce(&value, &value, 1, MPI_INT, MPI_SUM, world);
    if (how == 3) calls::Alltoallv(&value, &negative, &got, MPI_INT, &got, &got, &got, MPI_INT, world);
    if (how == 4) calls::Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, world);
    if (how == 5) calls::Ibarrier(world, nullptr);
  });
  CHECK(result.actors[0].id == id);
}

TEST_CASE("alltoallw: absolute addresses from MPI_BOTTOM", "[smpi][collective]") {
  const auto result = run_ranks(2, [](int rank) {
    std::array<int, 2> send{10 * rank, 10 * rank + 1}, receive{};
    std::array<MPI_Datatype, 2> from{}, to{};
    for (std::size_t i = 0; i < 2; ++i) {
      const int one = 1;
      MPI_Aint address = 0;
      calls::Get_address(&send[i], &address);
      calls::Type_create_hindexed(1, &one, &address, MPI_INT, &from[i]);
      calls::Get_address(&receive[i], &address);
      calls::Type_create_hindexed(1, &one, &address, MPI_INT, &to[i]);
      calls::Type_commit(&from[i]);
      calls::Type_commit(&to[i]);
    }
    const std::array counts{1, 1}, places{0, 0};
    calls::Alltoallw(MPI_BOTTOM, counts.data(), places.data(), from.data(), MPI_BOTTOM, counts.data(), places.data(),
                     to.data(), world);
    CHECK(receive == std::array{rank, 10 + rank});
    for (MPI_Datatype* type : {&from[0], &from[1], &to[0], &to[1]}) calls::Type_free(type);
  });
  CHECK(result.all_ended());
  CHECK(result.reports.empty());
}
