// SPDX-License-Identifier: MIT
//
// Reductions and scans against loops over the ranks; order, operators of the program, and in place.
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "simcore/actor.hpp"
#include "smpi/abi/calls.hpp"
#include "tests/support/mpi_ranks.hpp"

namespace reduction_test {

using namespace rehearse;
using namespace rehearse::tests;
namespace calls = rehearse::smpi::calls;

namespace {

const MPI_Comm world = MPI_COMM_WORLD;

// Not commutative, but associative: (a, b) then (c, d) is the map x -> c(ax + b) + d.
void compose(void* in, void* inout, int* count, MPI_Datatype*) {
  auto* first = static_cast<long*>(in);
  auto* second = static_cast<long*>(inout);
  for (int i = 0; i < *count; ++i, first += 2, second += 2) {
    second[1] += second[0] * first[1];
    second[0] *= first[0];
  }
}

// Talks while it works, which invalidates whatever the driver handed out.
void talkative_sum(void* in, void* inout, int* count, MPI_Datatype*) {
  ask(Log{1, "adding\n"});
  for (int i = 0; i < *count; ++i) static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
}

void wait(MPI_Request& request) { calls::Wait(&request, MPI_STATUS_IGNORE); }

// Rank r contributes (r + 2, r): the composition of ranks first..last.
std::array<long, 2> composed(int first, int last) {
  std::array<long, 2> map{1, 0};
  for (int r = first; r <= last; ++r) map = {map[0] * (r + 2), (r + 2) * map[1] + r};
  return map;
}

struct Composition {
  MPI_Op op = MPI_OP_NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  Composition() {
    calls::Op_create(compose, 0, &op);
    calls::Type_contiguous(2, MPI_LONG, &type);
    calls::Type_commit(&type);
  }
  ~Composition() {
    calls::Op_free(&op);
    calls::Type_free(&type);
  }
};

}  // namespace

TEST_CASE("reduce: the root has the sum, the others nothing", "[smpi][reduction]") {
  const int root = GENERATE(0, 2);
  const bool in_place = GENERATE(false, true);
  const bool blocking = GENERATE(true, false);
  const auto result = run_ranks(3, [&](int rank) {
    const bool here = in_place && rank == root;
    std::array<int, 2> mine{rank, 10 * rank}, sum{-1, -1};
    if (here) sum = mine;
    const void* send = here ? MPI_IN_PLACE : mine.data();
    MPI_Request request = MPI_REQUEST_NULL;
    if (blocking) calls::Reduce(send, sum.data(), 2, MPI_INT, MPI_SUM, root, world);
    if (!blocking) calls::Ireduce(send, sum.data(), 2, MPI_INT, MPI_SUM, root, world, &request);
    wait(request);
    CHECK(sum == (rank == root ? std::array{3, 30} : std::array{-1, -1}));
  });
  CHECK(result.all_ended());
  CHECK(result.mismatches.empty());
}

TEST_CASE("allreduce: every rank gets the result, also in place", "[smpi][reduction]") {
  const auto [op, expected] =
      GENERATE(table<MPI_Op, int>({{MPI_SUM, 6}, {MPI_MAX, 3}, {MPI_MIN, 1}, {MPI_PROD, 6}, {MPI_BOR, 3}}));
  const int kind = GENERATE(0, 1, 2);
  const auto result = run_ranks(3, [&, op = op, expected = expected](int rank) {
    int mine = rank + 1, got = kind == 2 ? mine : -1;
    MPI_Request request = MPI_REQUEST_NULL;
    if (kind == 0) calls::Allreduce(&mine, &got, 1, MPI_INT, op, world);
    if (kind == 1) calls::Iallreduce(&mine, &got, 1, MPI_INT, op, world, &request);
    if (kind == 2) calls::Allreduce(MPI_IN_PLACE, &got, 1, MPI_INT, op, world);
    wait(request);
    CHECK(got == expected);
  });
  CHECK(result.all_ended());
}

TEST_CASE("reductions: nothing is reduced where the count is 0", "[smpi][reduction]") {
  const auto result = run_ranks(2, [](int) {
    CHECK(calls::Allreduce(nullptr, nullptr, 0, MPI_INT, MPI_SUM, world) == MPI_SUCCESS);
    CHECK(calls::Scan(nullptr, nullptr, 0, MPI_INT, MPI_SUM, world) == MPI_SUCCESS);
  });
  CHECK(result.all_ended());
}

TEST_CASE("reductions: an operator that does not commute is applied in rank order", "[smpi][reduction]") {
  const auto result = run_ranks(4, [](int rank) {
    Composition composition;
    const auto& [op, type] = std::tie(composition.op, composition.type);
    const std::array<long, 2> mine{rank + 2, rank};
    std::array<long, 2> all{}, before{-1, -1}, upto{}, at_root{};
    calls::Allreduce(mine.data(), all.data(), 1, type, op, world);
    CHECK(all == composed(0, 3));
    calls::Reduce(mine.data(), at_root.data(), 1, type, op, 3, world);
    if (rank == 3) CHECK(at_root == composed(0, 3));
    calls::Scan(mine.data(), upto.data(), 1, type, op, world);
    CHECK(upto == composed(0, rank));
    calls::Exscan(mine.data(), before.data(), 1, type, op, world);
    CHECK(before == (rank == 0 ? std::array<long, 2>{-1, -1} : composed(0, rank - 1)));
  });
  CHECK(result.all_ended());
  CHECK(result.mismatches.empty());
}

TEST_CASE("scan: works in place and nonblocking", "[smpi][reduction]") {
  const auto result = run_ranks(3, [](int rank) {
    int value = rank + 1;
    MPI_Request request = MPI_REQUEST_NULL;
    calls::Iscan(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, world, &request);
    wait(request);
    CHECK(value == (rank + 1) * (rank + 2) / 2);
    value = rank + 1;
    calls::Iexscan(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, world, &request);
    wait(request);
    CHECK(value == (rank == 0 ? 1 : rank * (rank + 1) / 2));
  });
  CHECK(result.all_ended());
}

TEST_CASE("reduce_scatter: each rank has its part of the sum", "[smpi][reduction]") {
  const int kind = GENERATE(0, 1, 2);
  const auto result = run_ranks(3, [&](int rank) {
    const std::array counts{1, 0, 2};
    std::vector<int> mine{rank, rank * 10, rank * 100}, got(3, -1);
    MPI_Request request = MPI_REQUEST_NULL;
    if (kind == 2) got = mine;
    if (kind == 0) calls::Reduce_scatter(mine.data(), got.data(), counts.data(), MPI_INT, MPI_SUM, world);
    if (kind == 1) calls::Ireduce_scatter(mine.data(), got.data(), counts.data(), MPI_INT, MPI_SUM, world, &request);
    if (kind == 2) calls::Reduce_scatter(MPI_IN_PLACE, got.data(), counts.data(), MPI_INT, MPI_SUM, world);
    wait(request);
    if (rank == 0) CHECK(got[0] == 3);
    if (rank == 1 && kind < 2) CHECK(got == std::vector{-1, -1, -1});
    if (rank == 2) CHECK((got[0] == 30 && got[1] == 300));
  });
  CHECK(result.all_ended());
  CHECK(result.mismatches.empty());
}

TEST_CASE("reduce_scatter_block: parts of equal size", "[smpi][reduction]") {
  const bool blocking = GENERATE(true, false);
  const auto result = run_ranks(2, [&](int rank) {
    const std::array mine{rank, 1 + rank, 2 + rank, 3 + rank};
    std::array<int, 2> got{};
    MPI_Request request = MPI_REQUEST_NULL;
    if (blocking) calls::Reduce_scatter_block(mine.data(), got.data(), 2, MPI_INT, MPI_SUM, world);
    if (!blocking) calls::Ireduce_scatter_block(mine.data(), got.data(), 2, MPI_INT, MPI_SUM, world, &request);
    wait(request);
    CHECK(got == (rank == 0 ? std::array{1, 3} : std::array{5, 7}));
  });
  CHECK(result.all_ended());
}

TEST_CASE("reductions: an operator of the program can print", "[smpi][reduction]") {
  const auto result = run_ranks(3, [](int rank) {
    MPI_Op op = MPI_OP_NULL;
    calls::Op_create(talkative_sum, 1, &op);
    int value = rank + 1, first = 0, second = 0;
    std::array<MPI_Request, 2> requests{};
    calls::Allreduce(&value, &first, 1, MPI_INT, op, world);
    CHECK(first == 6);
    first = 0;
    calls::Iallreduce(&value, &first, 1, MPI_INT, op, world, &requests[0]);
    calls::Iallreduce(&value, &second, 1, MPI_INT, MPI_MAX, world, &requests[1]);
    calls::Op_free(&op);  // the pending operation keeps it
    calls::Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    CHECK((first == 6 && second == 3));
  });
  CHECK(result.all_ended());
  CHECK(result.output[0] == "adding\nadding\nadding\nadding\n");
}

}  // namespace reduction_test
