// SPDX-License-Identifier: MIT
//
// One MPI program under every driver: arrival order, simulated time, exploration. What it computes
// must not depend on who drives it.
#include <array>
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "mc/explore.hpp"
#include "simcore/engine.hpp"
#include "simcore/fiber_program.hpp"
#include "smpi/abi/calls.hpp"
#include "tests/support/mpi_ranks.hpp"

using namespace rehearse;
using namespace rehearse::tests;
namespace calls = rehearse::smpi::calls;

namespace {

const MPI_Comm world = MPI_COMM_WORLD;
constexpr int ranks = 4;

// Everything the ranks computed, to be compared between drivers.
struct Results {
  std::array<std::vector<int>, ranks> of;
  bool operator==(const Results&) const = default;
};

void messages(int rank, std::vector<int>& out) {
  const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  int value = 10 * rank, got = -1;
  calls::Sendrecv(&value, 1, MPI_INT, right, 1, &got, 1, MPI_INT, left, 1, world, MPI_STATUS_IGNORE);
  out.push_back(got);
  std::array<MPI_Request, 2> requests{};
  calls::Irecv(&got, 1, MPI_INT, left, 2, world, &requests[0]);
  calls::Issend(&value, 1, MPI_INT, right, 2, world, &requests[1]);
  calls::Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  out.push_back(got);
  if (rank == 0) calls::Ssend(&value, 1, MPI_INT, 1, 3, world);
  MPI_Status status{};
  if (rank == 1) {
    calls::Probe(0, 3, world, &status);
    calls::Recv(&got, 1, MPI_INT, 0, 3, world, &status);
    out.push_back(status.MPI_SOURCE);
  }
}

void collectives(int rank, std::vector<int>& out) {
  std::array<int, ranks> mine{rank, rank + 1, rank + 2, rank + 3}, all{};
  std::array<MPI_Request, 2> requests{};
  int sum = 0, prefix = 0, from_two = rank, part = -1;
  const std::array counts{1, 0, 2, 1}, places{0, 1, 1, 3};
  calls::Barrier(world);
  calls::Bcast(&from_two, 1, MPI_INT, 2, world);
  calls::Alltoall(mine.data(), 1, MPI_INT, all.data(), 1, MPI_INT, world);
  out.insert(out.end(), all.begin(), all.end());
  calls::Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, world, &requests[0]);
  calls::Iscan(&rank, &prefix, 1, MPI_INT, MPI_SUM, world, &requests[1]);
  calls::Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  calls::Scatterv(mine.data(), counts.data(), places.data(), MPI_INT, all.data(),
                  counts[static_cast<std::size_t>(rank)], MPI_INT, 3, world);
  calls::Reduce_scatter_block(mine.data(), &part, 1, MPI_INT, MPI_MAX, world);
  calls::Gather(&sum, 1, MPI_INT, mine.data(), 1, MPI_INT, 1, world);
  for (int value : {from_two, sum, prefix, all[0], all[1], part, mine[3]}) out.push_back(value);
}

void communicators(int rank, std::vector<int>& out) {
  MPI_Comm half = MPI_COMM_NULL, copy = MPI_COMM_NULL;
  calls::Comm_split(world, rank % 2, -rank, &half);
  calls::Comm_dup(half, &copy);
  int members = 0, mine = 0;
  calls::Allreduce(&rank, &members, 1, MPI_INT, MPI_SUM, copy);
  calls::Comm_rank(copy, &mine);
  out.insert(out.end(), {members, mine});
  calls::Comm_free(&copy);
  calls::Comm_free(&half);
}

void body(int rank, Results& results) {
  std::vector<int> out;
  calls::Init(nullptr, nullptr);
  messages(rank, out);
  collectives(rank, out);
  communicators(rank, out);
  calls::Finalize();
  results.of[static_cast<std::size_t>(rank)] = out;
}

std::unique_ptr<FiberProgram> make_program(Results& results) {
  std::vector<std::function<void()>> actors;
  for (int rank = 0; rank < ranks; ++rank) actors.push_back([rank, &results] { body(rank, results); });
  return std::make_unique<FiberProgram>(actors);
}

Results expected() {
  Results results;
  const auto result = run_round_robin(*make_program(results));
  REQUIRE(result.all_ended());
  REQUIRE(result.reports.empty());
  REQUIRE(result.mismatches.empty());
  return results;
}

}  // namespace

TEST_CASE("drivers: programs compute the expected results", "[smpi][drivers]") {
  const Results results = expected();
  CHECK(results.of[1] == std::vector<int>{0, 0, 0, 1, 2, 3, 4, 2, 6, 1, 1, 2, 4, 6, 4, 1});
}

TEST_CASE("drivers: programs compute the same in simulated time, for any buffering", "[smpi][drivers]") {
  const std::uint64_t eager_bytes = GENERATE(0, 65536);
  const bool synchronising = GENERATE(false, true);
  Results results;
  const auto program = make_program(results);
  auto platform = make_platform("cluster:4");
  REQUIRE(platform);
  EngineOptions options;
  options.eager_bytes = eager_bytes;
  options.synchronising_collectives = synchronising;
  auto costs = make_cost_model({.network = "smpi"}, platform.value());
  REQUIRE(costs);
  Engine engine(*program, platform.value(), std::move(costs.value()), options);
  auto run = engine.run();
  REQUIRE(run);
  for (const ActorOutcome& actor : run.value().outcome.actors) CHECK(actor.state == ActorOutcome::State::ended);
  CHECK(run.value().end.picoseconds > 0);
  CHECK(results == expected());
}

TEST_CASE("drivers: a deterministic program has one execution, which computes the same", "[smpi][drivers]") {
  Results results;
  const auto program = make_program(results);
  mc::ExploreOptions options;
  options.semantics.policies = {Policy{}, Policy{0, false}, Policy{0, true}};
  const mc::Verdict verdict =
      mc::explore(*program, options, [](const auto&, const auto&) { return std::vector<Finding>(); });
  CHECK(verdict.executions == 1);
  CHECK(verdict.blocked == 0);
  CHECK(verdict.exhaustive);
  CHECK(results == expected());
}
