// SPDX-License-Identifier: MIT
//
// Mistakes that were found in another checker (SimGrid's, up to 4.2) about choices and about objects that actors share,
// by their numbers in tests/regressions/peer_checker_mistakes_test.py, which has those that MPI programs show.
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "mc/explore.hpp"
#include "simcore/actor_api.hpp"
#include "simcore/actor_program.hpp"
#include "tests/support/litmus.hpp"
#include "tests/support/verdicts.hpp"

namespace peer_checker_mistakes_test {

using namespace rehearse;

namespace {

using tests::explored;
using Setup = std::function<void(sim::Simulation&)>;
using Outcomes = std::set<std::string>;

mc::Verdict explored(const std::string& text, mc::Reduction reduction) {
  return explored(*tests::make_litmus(text), reduction);
}

mc::Verdict explored(const Setup& setup) {
  static Result<Platform> platform = make_platform("cluster:4");
  ActorProgram program(platform.value(), setup);
  return explored(program, mc::Reduction::none);
}

void add(sim::Simulation& simulation, std::function<void()> function) {
  simulation.add_actor("actor", simulation.host(HostId{0}), std::move(function));
}

}  // namespace

TEST_CASE("mistake 4: of n actors that take a lock in turn, all n! orders are seen", "[mc]") {
  const auto orders = std::make_shared<Outcomes>();
  const mc::Verdict verdict = explored([orders](sim::Simulation& simulation) {
    struct Shared {
      sim::Mutex mutex;
      std::string order;
    };
    const auto shared = std::make_shared<Shared>();
    for (const char* name : {"a", "b", "c"})
      add(simulation, [shared, orders, name] {
        const std::unique_lock lock(shared->mutex);
        shared->order += name;
        if (shared->order.size() == 3) orders->insert(shared->order);
      });
  });
  CHECK(verdict.exhaustive);
  CHECK(verdict.findings.empty());
  CHECK(*orders == Outcomes{"abc", "acb", "bac", "bca", "cab", "cba"});
}

TEST_CASE("mistake 5: a choice of more than 255 is a choice of as many", "[mc]") {
  for (const std::uint32_t choices : {256U, 301U, 1000U}) {
    const std::string text = "0: choose " + std::to_string(choices) + "\n1: \n";
    for (const mc::Reduction reduction : {mc::Reduction::matching, mc::Reduction::none})
      CHECK(explored(text, reduction).executions == choices);
  }
}

TEST_CASE("mistake 6: choices of several actors are all combined, each combination once", "[mc]") {
  std::string text;
  std::uint64_t classes = 1;
  for (std::uint32_t actor = 0; actor < 6; ++actor) {
    text += std::to_string(actor) + ": choose 2\n";
    classes *= 2;
    const mc::Verdict verdict = explored(text, mc::Reduction::matching);
    CHECK(verdict.executions == classes);
    CHECK(verdict.duplicates == 0);
    if (actor < 4) CHECK(explored(text, mc::Reduction::none).executions == classes);
  }
}

TEST_CASE("mistake 9: a barrier is used again while some have not left it yet", "[mc]") {
  const mc::Verdict verdict = explored([](sim::Simulation& simulation) {
    struct Shared {
      sim::Barrier barrier{2};
      int rounds = 0;
    };
    const auto shared = std::make_shared<Shared>();
    for (int i = 0; i < 2; ++i)
      add(simulation, [shared] {
        for (int round = 0; round < 3; ++round) {
          if (shared->barrier.wait()) ++shared->rounds;
          if (shared->rounds < round + 1) throw std::runtime_error("left before the other came");
        }
        if (shared->rounds != 3) throw std::runtime_error("nobody or both were the last");
      });
  });
  CHECK(verdict.exhaustive);
  CHECK(verdict.findings.empty());
}

TEST_CASE("mistake 13: a try to take a semaphore or a mutex fails only if another actor holds it", "[mc]") {
  const auto ends = std::make_shared<Outcomes>();
  const mc::Verdict verdict = explored([ends](sim::Simulation& simulation) {
    struct Shared {
      sim::Semaphore semaphore{1};
      sim::Mutex mutex;
    };
    const auto shared = std::make_shared<Shared>();
    add(simulation, [shared] {
      shared->semaphore.acquire();
      shared->mutex.lock();
      shared->semaphore.release();
      shared->mutex.unlock();
    });
    add(simulation, [shared, ends] {
      const bool semaphore = shared->semaphore.try_acquire();
      const bool mutex = shared->mutex.try_lock();
      ends->insert(std::to_string(semaphore) + std::to_string(mutex));
      if (mutex) shared->mutex.unlock();
      if (semaphore) shared->semaphore.release();
    });
  });
  CHECK(verdict.exhaustive);
  CHECK(verdict.findings.empty());
  CHECK(*ends == Outcomes{"00", "01", "10", "11"});
}

TEST_CASE("mistake 13: waits with a timeout end before and after it", "[mc]") {
  const auto ends = std::make_shared<Outcomes>();
  const mc::Verdict verdict = explored([ends](sim::Simulation& simulation) {
    struct Shared {
      sim::Semaphore semaphore{0};
      sim::Mutex mutex;
      sim::ConditionVariable changed;
      bool done = false;
    };
    const auto shared = std::make_shared<Shared>();
    add(simulation, [shared] {
      shared->semaphore.release();
      const std::unique_lock lock(shared->mutex);
      shared->done = true;
      shared->changed.notify_one();
    });
    add(simulation, [shared, ends] {
      const bool acquired = shared->semaphore.acquire_timeout(1e-6);
      std::unique_lock lock(shared->mutex);
      const bool done = shared->changed.wait_for(lock, 1e-6, [&] { return shared->done; });
      ends->insert(std::to_string(acquired) + std::to_string(done));
    });
  });
  CHECK(verdict.exhaustive);
  CHECK(verdict.findings.empty());
  CHECK(*ends == Outcomes{"00", "01", "10", "11"});
}

TEST_CASE("mistake 14: the schedule of a deadlock of actors is not empty", "[mc]") {
  const mc::Verdict verdict = explored([](sim::Simulation& simulation) {
    const auto semaphore = std::make_shared<sim::Semaphore>(0);
    add(simulation, [semaphore] { semaphore->acquire(); });
    add(simulation, [semaphore] {
      if (!semaphore->would_block()) semaphore->release();
    });
  });
  REQUIRE(verdict.findings.size() == 1);
  CHECK(verdict.findings[0].id == "deadlock.actors");
  CHECK_FALSE(verdict.findings[0].witness.empty());
}

}  // namespace peer_checker_mistakes_test
