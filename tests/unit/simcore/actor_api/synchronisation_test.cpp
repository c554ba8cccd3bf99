// SPDX-License-Identifier: MIT
//
// Mutexes, semaphores, barriers and condition variables.
#include <catch2/catch.hpp>
#include <mutex>
#include <string>

#include "simcore/actor_api.hpp"
#include "tests/support/actor_platform.hpp"

using namespace rehearse;
using namespace rehearse::testing;
namespace actor = rehearse::sim::this_actor;

TEST_CASE("mutex: one actor has it at a time, first come, first served", "[simcore][actors]") {
  PlainSimulation simulation;
  sim::Mutex mutex;
  std::string order;
  for (const char name : {'a', 'b', 'c'})
    simulation.add_actor(std::string(1, name), simulation.host("alpha"), [&, name] {
      const std::lock_guard lock(mutex);
      CHECK_FALSE(mutex.owner() != actor::self());
      actor::sleep_for(1);
      order += name;
    });
  simulation.add_actor("try", simulation.host("alpha"), [&] {
    CHECK_FALSE(mutex.try_lock());
    actor::sleep_for(4);
    CHECK(mutex.try_lock());
    mutex.unlock();
  });
  CHECK(simulation.run().text() == "");
  CHECK(order == "abc");
}

TEST_CASE("mutex: only a recursive one can be locked twice, and only its owner unlocks", "[simcore][actors]") {
  PlainSimulation simulation;
  sim::Mutex plain, recursive(sim::Mutex::recursive);
  simulation.add_actor("a", simulation.host("alpha"), [&] {
    plain.lock();
    CHECK_THROWS_AS(plain.lock(), sim::BadUse);
    recursive.lock();
    recursive.lock();
    recursive.unlock();
    actor::sleep_for(1);
    recursive.unlock();
    plain.unlock();
    CHECK_THROWS_AS(plain.unlock(), sim::BadUse);
  });
  simulation.add_actor("b", simulation.host("alpha"), [&] {
    CHECK_THROWS_AS(plain.unlock(), sim::BadUse);
    recursive.lock();
    CHECK(actor::now() == 1);
    recursive.unlock();
  });
  CHECK(simulation.run().text() == "");
}

TEST_CASE("semaphore: admits as many actors as it has tokens, with timeouts", "[simcore][actors]") {
  PlainSimulation simulation;
  sim::Semaphore semaphore(2);
  std::string log;
  for (int i = 0; i < 4; ++i)
    simulation.add_actor("a", simulation.host("alpha"), [&] {
      semaphore.acquire();
      actor::sleep_for(10);
      log += std::to_string(static_cast<int>(actor::now())) + " ";
      semaphore.release();
    });
  simulation.add_actor("late", simulation.host("alpha"), [&] {
    CHECK(semaphore.would_block());
    CHECK_FALSE(semaphore.acquire_timeout(1));
    CHECK(actor::now() == 1);
    CHECK(semaphore.acquire_timeout(100));
    CHECK(actor::now() == 20);
    semaphore.release();
  });
  CHECK(simulation.run().text() == "");
  CHECK(log == "10 10 20 20 ");
  CHECK(semaphore.capacity() == 2);
}

TEST_CASE("barrier: all leave together, one of them gets true, each time", "[simcore][actors]") {
  PlainSimulation simulation;
  sim::Barrier barrier(3);
  int last = 0;
  for (int i = 1; i <= 3; ++i)
    simulation.add_actor("a", simulation.host("alpha"), [&, i] {
      for (int round = 1; round <= 2; ++round) {
        actor::sleep_for(i);
        if (barrier.wait()) ++last;
        CHECK(actor::now() == 3 * round);
      }
    });
  CHECK(simulation.run().text() == "");
  CHECK(last == 2);
}

TEST_CASE("condition variable: waits with and without dates and predicates", "[simcore][actors]") {
  PlainSimulation simulation;
  sim::Mutex mutex;
  sim::ConditionVariable condition;
  bool done = false;
  simulation.add_actor("waits", simulation.host("alpha"), [&] {
    std::unique_lock lock(mutex);
    CHECK(condition.wait_for(lock, 1) == std::cv_status::timeout);
    CHECK(actor::now() == 1);
    CHECK(lock.owns_lock());
    CHECK(condition.wait_until(lock, 100) == std::cv_status::no_timeout);
    CHECK(actor::now() == 2);
    CHECK_FALSE(condition.wait_for(lock, 1, [&] { return done; }));
    CHECK(actor::now() == 3);
    CHECK(condition.wait_until(lock, 100, [&] { return done; }));
    CHECK(actor::now() == 5);
    lock.unlock();
    CHECK_THROWS_AS(condition.wait(lock), sim::BadUse);
  });
  simulation.add_actor("notifies", simulation.host("alpha"), [&] {
    actor::sleep_for(2);
    condition.notify_all();
    actor::sleep_for(2);
    condition.notify_one();  // in vain: not done
    actor::sleep_for(1);
    const std::lock_guard lock(mutex);
    done = true;
    condition.notify_one();
  });
  CHECK(simulation.run().text() == "");
}
