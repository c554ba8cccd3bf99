// SPDX-License-Identifier: MIT
//
// Killing actors: in every call that blocks, their stacks are unwound and nobody else is harmed.
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "simcore/actor_api.hpp"
#include "tests/support/actor_platform.hpp"

using namespace rehearse;
using namespace rehearse::testing;
namespace actor = rehearse::sim::this_actor;

namespace {

struct Unwound {
  bool& flag;
  ~Unwound() { flag = true; }
};

struct Things {
  explicit Things(sim::Simulation& s) : simulation(s) {}
  sim::Simulation& simulation;
  sim::Mutex mutex;
  sim::Semaphore semaphore{0};
  sim::Barrier barrier{2};
  sim::ConditionVariable condition;
  sim::ActorHandle other;
};

using Blocking = std::function<void(Things&)>;

const std::map<std::string, Blocking>& blocking_calls() {
  static const std::map<std::string, Blocking> calls = {
      {"sleep", [](Things&) { actor::sleep_for(1000); }},
      {"execute", [](Things&) { actor::execute(1e15); }},
      {"exec wait_for", [](Things&) { (void)actor::exec_async(1e15).wait_for(1000); }},
      {"put", [](Things& t) { t.simulation.mailbox("a").put(1, 1); }},
      {"put with timeout", [](Things& t) { t.simulation.mailbox("a").put(1, 1, 1000); }},
      {"get", [](Things& t) { t.simulation.mailbox("a").get<int>(); }},
      {"get with timeout", [](Things& t) { t.simulation.mailbox("a").get<int>(1000); }},
      {"get_async", [](Things& t) { t.simulation.mailbox("a").get_async().wait(); }},
      {"put_init", [](Things& t) { t.simulation.mailbox("a").put_init(1, 1).start().wait(); }},
      {"queue get", [](Things& t) { t.simulation.message_queue("a").get<int>(); }},
      {"queue put", [](Things& t) { t.simulation.message_queue("a").put(1); }},
      {"mutex", [](Things& t) { const std::lock_guard lock(t.mutex); }},
      {"semaphore", [](Things& t) { t.semaphore.acquire(); }},
      {"semaphore with timeout", [](Things& t) { (void)t.semaphore.acquire_timeout(1000); }},
      {"barrier", [](Things& t) { t.barrier.wait(); }},
      {"join", [](Things& t) { t.other.join(); }},
      {"suspend", [](Things&) { actor::suspend(); }},
      {"sendto", [](Things& t) { sim::Comm::sendto(t.simulation.host("alpha"), t.simulation.host("beta"), 1e12); }},
      {"wait_any",
       [](Things& t) {
         sim::ActivitySet set{actor::exec_async(1e15), t.simulation.mailbox("a").get_async()};
         set.wait_any();
       }},
      {"wait_all_for",
       [](Things&) {
         sim::ActivitySet set{actor::exec_async(1e15), actor::exec_async(1e15)};
         set.wait_all_for(1000);
       }},
      {"sleep_async", [](Things&) { actor::sleep_async(1000).wait(); }},
  };
  return calls;
}

void keep_mutex(Things& things) {
  const std::lock_guard lock(things.mutex);
  actor::sleep_for(50);
}

}  // namespace

TEST_CASE("kill: in any blocking call, an actor is unwound at that date and its callbacks run", "[simcore][actors]") {
  for (const auto& [name, call] : blocking_calls()) {
    INFO(name);
    PlainSimulation simulation;
    Things things(simulation);
    bool unwound = false, went_on = false, killed = false;
    double date = -1;
    things.other = simulation.add_actor("keeper", simulation.host("beta"), [&] { keep_mutex(things); });
    auto victim = simulation.add_actor("victim", simulation.host("alpha"), [&] {
      const Unwound mark{unwound};
      actor::sleep_for(1);
      call(things);
      went_on = true;
    });
    victim.on_exit([&](bool was_killed) {
      killed = was_killed;
      date = simulation.now();
    });
    simulation.add_actor("killer", simulation.host("beta"), [&] {
      actor::sleep_for(2);
      victim.kill();
      CHECK(victim.is_alive());  // until its turn comes
      actor::sleep_for(1);
      CHECK_FALSE(victim.is_alive());
    });
    const auto report = simulation.run();
    CHECK(unwound);
    CHECK_FALSE(went_on);
    CHECK(killed);
    CHECK(date == 2);
    CHECK(report.text() == "");
    CHECK(report.end == 50);
  }
}

TEST_CASE("kill: while it waits at a condition variable, its lock is not unlocked twice", "[simcore][actors]") {
  PlainSimulation simulation;
  sim::Mutex mutex;
  sim::ConditionVariable condition;
  bool is_ready = false;
  std::string log;
  auto victim = simulation.add_actor("victim", simulation.host("alpha"), [&] {
    std::unique_lock lock(mutex);
    condition.wait(lock, [&] { return is_ready; });
    log += "v";
  });
  simulation.add_actor("other", simulation.host("alpha"), [&] {
    std::unique_lock lock(mutex);
    condition.wait(lock, [&] { return is_ready; });
    log += "o";
  });
  simulation.add_actor("main", simulation.host("alpha"), [&] {
    actor::sleep_for(1);
    {
      const std::lock_guard lock(mutex);
      is_ready = true;
      condition.notify_one();  // the victim, which is killed before it runs
    }
    victim.kill();
  });
  CHECK(simulation.run().text() == "");
  CHECK(log == "o");
}

TEST_CASE("kill: a lock that was passed to the killed actor goes to the next one", "[simcore][actors]") {
  PlainSimulation simulation;
  sim::Mutex mutex;
  sim::Semaphore semaphore(0);
  std::string log;
  auto in_mutex = simulation.add_actor("victim", simulation.host("alpha"), [&] {
    actor::sleep_for(1);
    const std::lock_guard lock(mutex);
  });
  auto in_semaphore = simulation.add_actor("victim", simulation.host("alpha"), [&] { semaphore.acquire(); });
  simulation.add_actor("next", simulation.host("alpha"), [&] {
    actor::sleep_for(2);
    const std::lock_guard lock(mutex);
    semaphore.acquire();
    log += "n";
  });
  simulation.add_actor("keeper", simulation.host("alpha"), [&] {
    {
      const std::lock_guard lock(mutex);
      actor::sleep_for(3);
    }
    semaphore.release();
    in_mutex.kill();
    in_semaphore.kill();
  });
  CHECK(simulation.run().text() == "");
  CHECK(log == "n");
}

TEST_CASE("kill: a barrier counts the remaining actors", "[simcore][actors]") {
  PlainSimulation simulation;
  sim::Barrier barrier(2);
  int through = 0;
  auto victim = simulation.add_actor("victim", simulation.host("alpha"), [&] { barrier.wait(); });
  for (const double date : {2.0, 3.0})
    simulation.add_actor("a", simulation.host("alpha"), [&, date] {
      actor::sleep_for(date);
      barrier.wait();
      ++through;
      CHECK(actor::now() == 3);
    });
  simulation.add_actor("killer", simulation.host("alpha"), [&] {
    actor::sleep_for(1);
    victim.kill();
  });
  CHECK(simulation.run().text() == "");
  CHECK(through == 2);
}

TEST_CASE("kill: destructors can lock mutexes, but cannot wait for anything else", "[simcore][actors]") {
  PlainSimulation simulation;
  sim::Mutex mutex;
  bool locked = false, refused = false;
  struct Last {
    sim::Simulation& simulation;
    sim::Mutex& mutex;
    bool &locked, &refused;
    ~Last() {
      const std::lock_guard lock(mutex);
      locked = simulation.now() == 5;
      try {
        simulation.mailbox("nobody").get<int>();
      } catch (const sim::CancelError&) {
        refused = true;
      }
    }
  };
  auto victim = simulation.add_actor("victim", simulation.host("alpha"), [&] {
    const Last last{simulation, mutex, locked, refused};
    actor::sleep_for(100);
  });
  simulation.add_actor("keeper", simulation.host("alpha"), [&] {
    const std::lock_guard lock(mutex);
    actor::sleep_for(1);
    victim.kill();
    actor::sleep_for(4);
  });
  CHECK(simulation.run().end == 5);
  CHECK(locked);
  CHECK(refused);
}

TEST_CASE("kill: an actor that swallows the exception is killed again at its next blocking call", "[simcore][actors]") {
  PlainSimulation simulation;
  int caught = 0;
  bool went_on = false;
  auto victim = simulation.add_actor("stubborn", simulation.host("alpha"), [&] {
    for (int i = 0; i < 3; ++i) try {
        actor::sleep_for(100);
      } catch (...) {
        ++caught;
      }
    actor::sleep_for(100);
    went_on = true;
  });
  simulation.add_actor("killer", simulation.host("alpha"), [&] {
    actor::sleep_for(1);
    victim.kill();
  });
  CHECK(simulation.run().end == 1);
  CHECK(caught == 3);
  CHECK_FALSE(went_on);
}

TEST_CASE("kill: the other end of a message in transit gets NetworkFailure", "[simcore][actors]") {
  PlainSimulation simulation;
  const bool kill_sender = GENERATE(true, false);
  std::string what;
  const auto attempt = [&](auto action) {
    return [&what, action] {
      try {
        action();
      } catch (const sim::NetworkFailure& failure) {
        what = failure.what();
      }
    };
  };
  auto sender =
      simulation.add_actor("sender", simulation.host("alpha"), attempt([&] { simulation.mailbox("m").put(1, 1e6); }));
  auto receiver =
      simulation.add_actor("receiver", simulation.host("beta"), attempt([&] { simulation.mailbox("m").get<int>(); }));
  simulation.add_actor("killer", simulation.host("gamma"), [&] {
    actor::sleep_for(0.5);
    (kill_sender ? sender : receiver).kill();
  });
  CHECK(simulation.run().end == 0.5);
  CHECK(what == "the other side of the communication was killed");
}

TEST_CASE("kill: an actor can kill itself or one that never ran, and is killed at its kill time", "[simcore][actors]") {
  PlainSimulation simulation;
  std::string log;
  simulation.add_actor("itself", simulation.host("alpha"), [&] {
    actor::on_exit([&](bool killed) { log += killed ? "K" : "-"; });
    actor::sleep_for(1);
    actor::self().kill();
    log += "!";
  });
  simulation.add_actor("leaves", simulation.host("alpha"), [&] {
    actor::sleep_for(2);
    actor::exit();
  });
  auto late = simulation.add_actor("late", simulation.host("alpha"), [&] { log += "!"; }, {.start_time = 10});
  late.on_exit([&](bool) { log += "L"; });
  simulation.add_actor("timed", simulation.host("alpha"), [&] { actor::sleep_for(100); }, {.kill_time = 4});
  simulation.add_actor("killer", simulation.host("alpha"), [&] {
    actor::sleep_for(3);
    late.kill();
    CHECK_FALSE(late.is_alive());
  });
  CHECK(simulation.run().end == 4);
  CHECK(log == "KL");
}
