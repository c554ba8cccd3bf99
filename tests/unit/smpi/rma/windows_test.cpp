// SPDX-License-Identifier: MIT
//
// Windows under the drivers: fences, start and post, locks, atomics; races and epoch errors.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "mc/explore.hpp"
#include "simcore/engine.hpp"
#include "simcore/fiber_program.hpp"
#include "smpi/abi/calls.hpp"
#include "tests/support/mpi_ranks.hpp"

namespace windows_test {

using namespace rehearse;
using namespace rehearse::tests;
namespace calls = rehearse::smpi::calls;

namespace {

constexpr int members = 3;

// A window of four integers per rank.
struct WindowOfFour {
  std::array<int, 4> memory{};
  MPI_Win win = MPI_WIN_NULL;

  explicit WindowOfFour(int first = 0) {
    memory[0] = first;
    calls::Win_create(memory.data(), sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  }
  void put(const int& value, int target, int place) { calls::Put(&value, 1, MPI_INT, target, place, 1, MPI_INT, win); }
  void get(int& value, int target, int place) { calls::Get(&value, 1, MPI_INT, target, place, 1, MPI_INT, win); }
  void add(const int& value, int target, int place) {
    calls::Accumulate(&value, 1, MPI_INT, target, place, 1, MPI_INT, MPI_SUM, win);
  }
  void fetch(const int& value, int& old, int target, int place, MPI_Op op = MPI_SUM) {
    calls::Fetch_and_op(&value, &old, MPI_INT, target, place, op, win);
  }
  void fence(int assertion = 0) { calls::Win_fence(assertion, win); }
  void free() { calls::Win_free(&win); }
};

using Body = std::function<void(int rank, std::vector<int>& out)>;
using Results = std::array<std::vector<int>, members>;

std::unique_ptr<FiberProgram> program_of(const Body& body, Results& results) {
  std::vector<std::function<void()>> ranks;
  for (int rank = 0; rank < members; ++rank)
    ranks.emplace_back([&body, &results, rank] {
      std::vector<int>& out = results[static_cast<std::size_t>(rank)];
      out.clear();
      calls::Init(nullptr, nullptr);
      body(rank, out);
      calls::Finalize();
    });
  return std::make_unique<FiberProgram>(std::move(ranks));
}

RunResult run_in_time(const Body& body, Results& results) {
  const auto program = program_of(body, results);
  auto platform = make_platform("cluster:4");
  REQUIRE(platform);
  auto costs = make_cost_model({.network = "smpi"}, platform.value());
  REQUIRE(costs);
  Engine engine(*program, platform.value(), std::move(costs.value()), {});
  auto run = engine.run();
  REQUIRE(run);
  return std::move(run.value());
}

mc::Verdict explore_all(const Body& body, Results& results, std::vector<std::string>& reports) {
  const auto program = program_of(body, results);
  mc::ExploreOptions options;
  options.semantics.policies = {Policy{}, Policy{0, false}, Policy{0, true}};
  return mc::explore(*program, options, [&](const Outcome& outcome, const auto&) {
    for (const auto& [actor, finding] : outcome.reports) reports.emplace_back(finding.id.text());
    return std::vector<Finding>();
  });
}

// In time and in the only execution of an exploration.
Results results_of(const Body& body) {
  Results timed, explored;
  const RunResult run = run_in_time(body, timed);
  for (const ActorOutcome& actor : run.outcome.actors) REQUIRE(actor.state == ActorOutcome::State::ended);
  CHECK(run.outcome.reports.empty());
  std::vector<std::string> reports;
  const mc::Verdict verdict = explore_all(body, explored, reports);
  CHECK(verdict.executions == 1);
  CHECK(verdict.exhaustive);
  CHECK(reports.empty());
  CHECK(explored == timed);
  return timed;
}

std::string failure_of(const Body& body) {
  Results results;
  for (const ActorOutcome& actor : run_in_time(body, results).outcome.actors)
    if (actor.state == ActorOutcome::State::failed) return actor.id;
  return "";
}

std::vector<std::string> reports_of(const Body& body) {
  Results results;
  std::vector<std::string> ids;
  for (const auto& [actor, finding] : run_in_time(body, results).outcome.reports) ids.emplace_back(finding.id.text());
  return ids;
}

}  // namespace

TEST_CASE("windows: fences carry out puts, gets and accumulates", "[smpi][rma]") {
  const Results results = results_of([](int rank, std::vector<int>& out) {
    WindowOfFour window;
    int value = 10 + rank, seen = -1;
    window.fence();
    window.put(value, (rank + 1) % members, 0);
    window.add(value, 0, 1);
    window.fence();
    window.get(seen, (rank + 2) % members, 0);
    window.fence(MPI_MODE_NOSUCCEED);
    out = {window.memory[0], window.memory[1], seen};
    window.free();
  });
  CHECK(results[0] == std::vector<int>{12, 33, 11});
  CHECK(results[1] == std::vector<int>{10, 0, 12});
  CHECK(results[2] == std::vector<int>{11, 0, 10});
}

TEST_CASE("windows: post, start, complete and wait carry out puts", "[smpi][rma]") {
  const Results results = results_of([](int rank, std::vector<int>& out) {
    WindowOfFour window;
    const int value = 10 + rank, right = (rank + 1) % members, left = (rank + 2) % members;
    MPI_Group world, others;
    calls::Comm_group(MPI_COMM_WORLD, &world);
    const std::array both{right, left};
    calls::Group_incl(world, 2, both.data(), &others);
    calls::Win_post(others, 0, window.win);
    calls::Win_start(others, 0, window.win);
    window.put(value, right, 0);
    window.put(value, left, 1);
    calls::Win_complete(window.win);
    calls::Win_wait(window.win);
    out = {window.memory[0], window.memory[1]};
    calls::Group_free(&world);
    calls::Group_free(&others);
    window.free();
  });
  CHECK(results[0] == std::vector<int>{12, 11});
}

TEST_CASE("windows: in time, a get in a start epoch does not wait for the target's wait", "[smpi][rma]") {
  Results results;
  const RunResult run = run_in_time(
      [](int rank, std::vector<int>& out) {
        WindowOfFour window(7);
        MPI_Group world, one;
        int seen = -1;
        const int partner = 1 - rank;
        calls::Comm_group(MPI_COMM_WORLD, &world);
        calls::Group_incl(world, rank < 2 ? 1 : 0, &partner, &one);
        if (rank == 1) calls::Win_post(one, 0, window.win);
        if (rank == 0) {
          calls::Win_start(one, 0, window.win);
          window.get(seen, 1, 0);
          calls::Win_complete(window.win);
          calls::Send(&seen, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        }
        if (rank == 1) {
          calls::Recv(&seen, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          calls::Win_wait(window.win);
        }
        out = {seen};
        calls::Group_free(&world);
        if (one != MPI_GROUP_EMPTY) calls::Group_free(&one);
        window.free();
      },
      results);
  for (const ActorOutcome& actor : run.outcome.actors) CHECK(actor.state == ActorOutcome::State::ended);
  CHECK(results[0] == std::vector<int>{7});
}

TEST_CASE("windows: exclusive locks exclude, and shared ones count with atomics", "[smpi][rma]") {
  Results results;
  const RunResult run = run_in_time(
      [](int rank, std::vector<int>& out) {
        WindowOfFour window;
        int old = -1;
        const int one = 1;
        for (int i = 0; i < 4; ++i) {
          calls::Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window.win);
          window.get(old, 0, 0);
          calls::Win_flush(0, window.win);
          ++old;
          window.put(old, 0, 0);
          calls::Win_unlock(0, window.win);
        }
        calls::Win_lock_all(0, window.win);
        window.fetch(one, old, 1, 1);
        calls::Win_unlock_all(window.win);
        calls::Barrier(MPI_COMM_WORLD);
        out = {window.memory[0], window.memory[1], old};
        static_cast<void>(rank);
        window.free();
      },
      results);
  for (const ActorOutcome& actor : run.outcome.actors) CHECK(actor.state == ActorOutcome::State::ended);
  CHECK(results[0][0] == 12);
  CHECK(results[1][1] == 3);
  std::array tickets{results[0][2], results[1][2], results[2][2]};
  std::ranges::sort(tickets);
  CHECK(tickets == std::array{0, 1, 2});
}

TEST_CASE("windows: the order of fetching atomics in a fence epoch is a choice, that of others is none",
          "[smpi][rma]") {
  const bool fetches = GENERATE(true, false);
  Results results;
  std::vector<std::string> reports;
  const mc::Verdict verdict = explore_all(
      [&](int, std::vector<int>&) {
        WindowOfFour window;
        const int one = 1;
        int old = -1;
        window.fence();
        if (fetches) window.fetch(one, old, 0, 0);
        else window.add(one, 0, 0);
        window.fence();
        window.free();
      },
      results, reports);
  // These actors have no memory of their own, so their windows have other addresses when they run again.
  CHECK(verdict.executions == (fetches ? 6 : 1));
  CHECK(reports.empty());
}

// Atomics at different places are not ordered, also if they have one origin.
TEST_CASE("windows: each place of a fence epoch has its own order of atomics", "[smpi][rma]") {
  Results results;
  std::vector<std::string> reports;
  std::set<std::array<int, 4>> found;
  const mc::Verdict verdict = explore_all(
      [&](int rank, std::vector<int>& out) {
        WindowOfFour window;
        const int one = 1;
        int first = 0, second = 0;
        window.fence();
        if (rank > 0) window.fetch(one, first, 0, rank == 1 ? 0 : 1);
        if (rank > 0) window.fetch(one, second, 0, rank == 1 ? 1 : 0);
        window.fence();
        out = {first, second};
        std::array<int, 2 * members> all{};
        calls::Gather(out.data(), 2, MPI_INT, all.data(), 2, MPI_INT, 0, MPI_COMM_WORLD);
        if (rank == 0) found.insert({all[2], all[3], all[4], all[5]});
        window.free();
      },
      results, reports);
  CHECK(verdict.executions == 4);
  CHECK(found == std::set<std::array<int, 4>>{{0, 0, 1, 1}, {0, 1, 0, 1}, {1, 0, 1, 0}, {1, 1, 0, 0}});
  CHECK(reports.empty());
}

// A rank that replaces an element by what another one replaces it by, or accumulates nothing, is no choice.
TEST_CASE("windows: atomics whose order nobody can see are no choice", "[smpi][rma]") {
  Results results;
  std::vector<std::string> reports;
  const mc::Verdict verdict = explore_all(
      [&](int rank, std::vector<int>&) {
        WindowOfFour window;
        const int seven = 7;
        window.fence();
        calls::Accumulate(&seven, 1, MPI_INT, 0, 0, 1, MPI_INT, rank == 2 ? MPI_NO_OP : MPI_REPLACE, window.win);
        window.fence();
        window.free();
      },
      results, reports);
  CHECK(verdict.executions == 1);
  CHECK(reports.empty());
}

TEST_CASE("windows: locks are not explored, and the verdict says so", "[smpi][rma]") {
  Results results;
  std::vector<std::string> reports;
  const mc::Verdict verdict = explore_all(
      [](int, std::vector<int>&) {
        WindowOfFour window;
        calls::Win_lock(MPI_LOCK_SHARED, 0, 0, window.win);
        calls::Win_unlock(0, window.win);
        window.free();
      },
      results, reports);
  CHECK_FALSE(verdict.exhaustive);
  REQUIRE_FALSE(verdict.reasons.empty());
  CHECK(verdict.reasons[0].find("is not supported yet") != std::string::npos);
}

TEST_CASE("windows: conflicting operations of one epoch are races", "[smpi][rma]") {
  const auto in_epoch = [](const std::function<void(int, WindowOfFour&, int&)>& operations) {
    return reports_of([&](int rank, std::vector<int>&) {
      WindowOfFour window;
      int value = rank;
      window.fence();
      operations(rank, window, value);
      window.fence();
      window.free();
    });
  };
  const std::vector<std::string> race{"rma.race"}, none{};
  CHECK(in_epoch([](int rank, WindowOfFour& w, int& v) {
          if (rank > 0) w.put(v, 0, 0);
        }) == race);
  CHECK(in_epoch([](int rank, WindowOfFour& w, int& v) {
          if (rank > 0) w.put(v, 0, rank);
        }) == none);
  CHECK(in_epoch([](int rank, WindowOfFour& w, int& v) {
          if (rank == 1) w.put(v, 0, 0);
          if (rank == 2) w.get(v, 0, 0);
        }) == race);
  CHECK(in_epoch([](int rank, WindowOfFour& w, int& v) {
          if (rank > 0) w.get(v, 0, 0);
        }) == none);
  CHECK(in_epoch([](int rank, WindowOfFour& w, int& v) {
          if (rank == 1) w.add(v, 0, 0);
          if (rank == 2) w.put(v, 0, 0);
        }) == race);
  CHECK(in_epoch([](int rank, WindowOfFour& w, int& v) {
          if (rank > 0) calls::Accumulate(&v, 1, MPI_INT, 0, 0, 1, MPI_INT, rank == 1 ? MPI_SUM : MPI_MAX, w.win);
        }) == race);
}

TEST_CASE("windows: errors of epochs and arguments have ids", "[smpi][rma]") {
  const auto failure = [](const std::function<void(WindowOfFour&)>& wrong) {
    return failure_of([&](int rank, std::vector<int>&) {
      WindowOfFour window;
      if (rank == 0) wrong(window);
    });
  };
  const int value = 1;
  CHECK(failure([&](WindowOfFour& w) { w.put(value, 1, 0); }) == "rma.no_epoch");
  CHECK(failure([&](WindowOfFour& w) {
          calls::Win_lock(MPI_LOCK_SHARED, 1, 0, w.win);
          w.put(value, 2, 0);
        }) == "rma.no_epoch");
  CHECK(failure([&](WindowOfFour& w) {
          calls::Win_lock(MPI_LOCK_SHARED, 1, 0, w.win);
          w.put(value, 1, 4);
        }) == "rma.range");
  CHECK(failure([&](WindowOfFour& w) {
          calls::Win_lock(MPI_LOCK_SHARED, 1, 0, w.win);
          calls::Win_lock_all(0, w.win);
        }) == "rma.nested");
  CHECK(failure([&](WindowOfFour& w) { calls::Win_unlock(1, w.win); }) == "rma.not_open");
  CHECK(failure([&](WindowOfFour& w) { calls::Win_complete(w.win); }) == "rma.not_open");
  CHECK(failure([&](WindowOfFour& w) { calls::Win_wait(w.win); }) == "rma.not_open");
  CHECK(failure([&](WindowOfFour& w) {
          calls::Win_lock(MPI_LOCK_SHARED, 1, 0, w.win);
          calls::Win_free(&w.win);
        }) == "rma.not_closed");
  CHECK(failure([&](WindowOfFour& w) { w.put(value, 9, 0); }) == "argument.rank");
  CHECK(failure([&](WindowOfFour& w) { calls::Win_lock(99, 1, 0, w.win); }) == "argument.value");
  CHECK(failure([&](WindowOfFour&) { calls::Win_fence(0, MPI_WIN_NULL); }) == "argument.window");
}

TEST_CASE("windows: request forms complete by wait or by unlock", "[smpi][rma]") {
  Results results;
  run_in_time(
      [](int rank, std::vector<int>& out) {
        WindowOfFour window(5);
        int value = 30 + rank, seen = -1;
        std::array<MPI_Request, 2> requests{};
        calls::Win_lock_all(0, window.win);
        calls::Rput(&value, 1, MPI_INT, (rank + 1) % members, 1, 1, MPI_INT, window.win, &requests[0]);
        calls::Rget(&seen, 1, MPI_INT, (rank + 1) % members, 0, 1, MPI_INT, window.win, &requests[1]);
        calls::Wait(&requests[1], MPI_STATUS_IGNORE);
        calls::Win_unlock_all(window.win);
        calls::Wait(&requests[0], MPI_STATUS_IGNORE);
        calls::Barrier(MPI_COMM_WORLD);
        out = {seen, window.memory[1]};
        window.free();
      },
      results);
  CHECK(results[0] == std::vector<int>{5, 32});
  CHECK(results[1] == std::vector<int>{5, 30});
}

}  // namespace windows_test
