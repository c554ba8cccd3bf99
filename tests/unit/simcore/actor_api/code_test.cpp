// SPDX-License-Identifier: MIT
//
// Code of computations: when it runs, what it may do, and that nothing depends on the number of threads.
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "simcore/actor_api.hpp"
#include "simcore/actor_program.hpp"
#include "simcore/kernel/kernel.hpp"
#include "simcore/support/random.hpp"
#include "tests/support/actor_platform.hpp"

using namespace rehearse;
using namespace rehearse::testing;
namespace actor = rehearse::sim::this_actor;

namespace code_test {

enum class Choice : std::uint8_t { measured, always_hand_over };

struct Threads {
  std::uint32_t workers;
  Choice choice = Choice::always_hand_over;
};

class CodeSimulation : public sim::Simulation {
 public:
  CodeSimulation(const Platform& platform, const Threads& threads) : Simulation(platform, options(threads)) {
    if (threads.choice == Choice::always_hand_over) kernel().code_workers().always_hand_over();
  }

 private:
  static sim::SimulationOptions options(const Threads& threads) {
    sim::SimulationOptions result;
    result.workers = threads.workers;
    return result;
  }
};

const Threads all_threads[] = {{1}, {2}, {3}, {8}, {2, Choice::measured}};

// Some work whose result the compiler cannot leave out.
std::uint64_t mixed(std::uint64_t value, std::uint64_t rounds) {
  for (std::uint64_t i = 0; i < rounds; ++i) value = (value ^ (value >> 29)) * 0xbf58476d1ce4e5b9ull + i;
  return value;
}

}  // namespace code_test

using namespace code_test;

TEST_CASE("code: its effects are there when the computation ends", "[simcore][actors]") {
  const Platform platform = actor_platform();
  for (const Threads& threads : all_threads) {
    CodeSimulation simulation(platform, threads);
    std::vector<int> values(3);
    for (int i = 0; i < 3; ++i)
      simulation.add_actor("a", simulation.host(HostId{static_cast<std::uint32_t>(i)}), [&, i] {
        actor::execute(2e9, [&, i] { values[i] = i + 1; });
        CHECK(values[i] == i + 1);
        CHECK(actor::now() == 2);
        const sim::Exec started = actor::exec_init(1e9).set_code([&, i] { values[i] = 10; }).start();
        actor::sleep_for(0.5);
        CHECK_FALSE(started.test());
        started.wait();
        CHECK(values[i] == 10);
        CHECK(actor::now() == 3);
        actor::execute(0, [&, i] { values[i] = 20; });
        CHECK(values[i] == 20);
      });
    CHECK(simulation.run().text() == "");
    CHECK(simulation.code_use().runs == 9);
  }
}

TEST_CASE("code: what it throws is the failure of the computation", "[simcore][actors]") {
  const Platform platform = actor_platform();
  for (const Threads& threads : all_threads) {
    CodeSimulation simulation(platform, threads);
    sim::Exec failing;
    simulation.add_actor("catches", simulation.host("alpha"), [&] {
      failing = actor::exec_init(1e9).set_code([] { throw std::runtime_error("no result"); }).start();
      CHECK_THROWS_WITH(failing.wait(), "no result");
      CHECK(actor::now() == 1);
      CHECK(failing.state() == sim::ActivityState::failed);
      CHECK_THROWS_WITH(failing.test(), "no result");
      sim::ActivitySet set{actor::exec_init(1e9).set_code([] { throw 7; }).start()};
      CHECK_THROWS_AS(set.wait_any(), int);
      CHECK(actor::now() == 2);
    });
    simulation.add_actor("fails", simulation.host("beta"),
                         [] { actor::execute(3e9, [] { throw std::runtime_error("bad data"); }); });
    CHECK(simulation.run().text() == "actor 'fails' on 'beta' failed at 3.000000: bad data\n");
  }
}

TEST_CASE("code: the actor API refuses its calls", "[simcore][actors]") {
  const Platform platform = actor_platform();
  const std::string refusal = "the code of a computation cannot use the actor API";
  for (const Threads& threads : all_threads) {
    CodeSimulation simulation(platform, threads);
    sim::Mutex mutex;
    sim::SharedVariable<int> variable;
    sim::Mailbox& box = simulation.mailbox("box");
    const std::function<void()> calls[] = {
        [] { actor::sleep_for(1); },
        [] { (void)actor::now(); },
        [] { (void)actor::self(); },
        [&] { mutex.lock(); },
        [&] { variable.store(1); },
        [&] { box.put(1, 1); },
        [&] { (void)box.size(); },
        [&] { (void)simulation.mailbox("other"); },
        [&] { (void)simulation.exec_init(1); },
        [] { const sim::Semaphore made(1); },
    };
    simulation.add_actor("a", simulation.host("alpha"), [&] {
      for (const auto& call : calls) CHECK_THROWS_WITH(actor::execute(1e6, call), refusal);
      actor::execute(1e6, [] { CHECK_FALSE(actor::is_actor()); });
      CHECK(actor::is_actor());
    });
    CHECK(simulation.run().text() == "");
  }
}

TEST_CASE("code: it runs to its end before a killed actor's stack goes", "[simcore][actors]") {
  const Platform platform = actor_platform();
  for (const Threads& threads : all_threads) {
    CodeSimulation simulation(platform, threads);
    std::string order;
    struct OnStack {
      std::string& order;
      int value = 0;
      ~OnStack() { order += "destroyed with " + std::to_string(value); }
    };
    const auto victim = simulation.add_actor("victim", simulation.host("alpha"), [&] {
      OnStack local{order};
      actor::execute(5e9, [&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        local.value = 1;
      });
    });
    simulation.add_actor("killer", simulation.host("beta"), [&] {
      actor::sleep_for(1);
      victim.kill();
    });
    CHECK(simulation.run().text() == "");
    CHECK(order == "destroyed with 1");
  }
}

TEST_CASE("code: it runs again when a failed computation starts again", "[simcore][actors]") {
  const Platform platform = actor_platform();
  for (const Threads& threads : all_threads) {
    CodeSimulation simulation(platform, threads);
    int runs = 0;
    simulation.add_actor("a", simulation.host("alpha"), [&] {
      const sim::Exec exec = actor::exec_init(1e9).set_code([&] {
        if (++runs == 1) throw std::runtime_error("once");
      });
      CHECK_THROWS_WITH(exec.wait(), "once");
      exec.start();
      exec.wait();
      CHECK_THROWS_AS(exec.set_code({}), sim::BadUse);
      const sim::Exec canceled = actor::exec_init(9e9).set_code([&] { runs += 10; }).start();
      canceled.cancel();
      CHECK(runs == 12);
      CHECK_THROWS_AS(canceled.wait(), sim::CancelError);
      CHECK(actor::now() == 2);
      CHECK_THROWS_AS(actor::exec_async(1e9).set_code([] {}), sim::BadUse);
    });
    CHECK(simulation.run().text() == "");
  }
}

TEST_CASE("code: graphs of tasks without actors have it", "[simcore][actors]") {
  const Platform platform = actor_platform();
  for (const Threads& threads : all_threads) {
    CodeSimulation simulation(platform, threads);
    std::vector<int> parts(40);
    int sum = 0;
    const sim::Exec last = simulation.exec_init(1e9).set_host(simulation.host("gamma")).set_code([&] {
      for (const int part : parts) sum += part;
    });
    for (int& part : parts) {
      const sim::Exec task = simulation.exec_init(1e9).set_host(simulation.host("alpha")).set_code([&] { part = 2; });
      task.add_successor(last);
      task.start();
    }
    last.start();
    CHECK(simulation.run().end == 41);
    CHECK(sum == 80);
    CHECK(simulation.code_use().runs == 41);
  }
}

TEST_CASE("code: light code stays on the thread of the simulation, heavy code does not", "[simcore][actors]") {
  const Platform platform = actor_platform();
  std::vector<std::uint64_t> results(300);
  const auto use_of = [&](std::uint64_t rounds) {
    CodeSimulation simulation(platform, {2, Choice::measured});
    for (std::size_t i = 0; i < 3; ++i)
      simulation.add_actor("a", simulation.host(HostId{static_cast<std::uint32_t>(i)}), [&, i] {
        for (std::size_t j = 0; j < 100; ++j) actor::execute(1e9, [&, j] { results[3 * j + i] = mixed(j, rounds); });
      });
    CHECK(simulation.run().end == 100);
    return simulation.code_use();
  };
  const sim::CodeUse light = use_of(10);
  CHECK(light.runs == 300);
  CHECK(light.runs_by_threads < 30);  // none, unless the machine interrupted some
  sim::CodeUse heavy;
  for (std::uint64_t rounds = 1'000'000; rounds < 100'000'000; rounds *= 4) {
    heavy = use_of(rounds);
    if (heavy.runs_by_threads > 0) break;  // a busy machine may need more
  }
  CHECK(heavy.hand_over_seconds > 0);
  CHECK(heavy.runs_by_threads > 0);
}

namespace code_test {

// A random program: its trace, which must not depend on the threads.
class RandomProgram {
 public:
  RandomProgram(const Platform& platform, const Threads& threads, std::uint64_t seed)
      : simulation_(platform, threads), seed_(seed) {}

  std::string trace() {
    for (std::uint32_t i = 0; i < actors; ++i)
      handles_.push_back(simulation_.add_actor("actor" + std::to_string(i), simulation_.host(HostId{i % 3}), [this, i] {
        const OnEnd end{*this, i};
        act(i);
      }));
    trace_ += simulation_.run().text();
    return trace_ + std::to_string(simulation_.now());
  }

 private:
  static constexpr std::uint32_t actors = 6, steps = 12;

  struct OnEnd {
    RandomProgram& program;
    std::uint32_t self;
    ~OnEnd() { program.note(self, "ends with", program.values_[self]); }
  };

  void note(std::uint32_t self, const char* what, std::uint64_t value) {
    trace_ += std::to_string(simulation_.now()) + " " + std::to_string(self) + " " + what + " " +
              std::to_string(value) + "\n";
  }

  void act(std::uint32_t self) {
    SplitMix random(seed_ * 100 + self);
    for (std::uint32_t step = 0; step < steps; ++step) {
      try {
        make_step(self, random);
      } catch (const sim::NetworkFailure&) {
        note(self, "lost a peer", values_[self]);
      } catch (const sim::TimeoutError&) {
        note(self, "waited long", values_[self]);
      } catch (const std::runtime_error& error) {
        note(self, error.what(), values_[self]);
      }
    }
  }

  void make_step(std::uint32_t self, SplitMix& random) {
    std::uint64_t& value = values_[self];
    const std::uint64_t rounds = random.below(4000);
    const double flops = 1e8 * static_cast<double>(random.below(20));
    switch (random.below(9)) {
      case 0:
      case 1:
      case 2: actor::execute(flops, [&value, rounds] { value = mixed(value, rounds); }); break;
      case 3:
        actor::execute(flops, [&value, rounds] {
          value = mixed(value, rounds);
          throw std::runtime_error("code fails with");
        });
        break;
      case 4: {
        const sim::Exec other = actor::exec_init(flops).set_code([&value, rounds] { value = mixed(value, rounds); });
        other.start();
        actor::sleep_for(0.1 * static_cast<double>(random.below(20)));
        other.wait();
        break;
      }
      case 5: simulation_.mailbox("box").put(value, 1e5, 3); break;
      case 6: value ^= simulation_.mailbox("box").get<std::uint64_t>(3); break;
      case 7: {
        const std::lock_guard lock(mutex_);
        shared_ = mixed(shared_ ^ value, 1);
        actor::execute(1e8, [this, rounds] { shared_ = mixed(shared_, rounds); });
        value ^= shared_;
        break;
      }
      default:
        if (random.below(4) == 0) handles_[random.below(actors)].kill();
        else actor::sleep_for(0.05 * static_cast<double>(random.below(10)));
    }
    note(self, "has", value);
  }

  CodeSimulation simulation_;
  const std::uint64_t seed_;
  std::vector<sim::ActorHandle> handles_;
  std::uint64_t values_[actors] = {};
  sim::Mutex mutex_;
  std::uint64_t shared_ = 0;
  std::string trace_;
};

}  // namespace code_test

TEST_CASE("code: random programs do the same with any number of threads", "[simcore][actors]") {
  const Platform platform = actor_platform();
  std::size_t failures = 0, ended_by_kill = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const std::string expected = RandomProgram(platform, {1}, seed).trace();
    failures += expected.find("code fails") != std::string::npos;
    ended_by_kill += expected.find("lost a peer") != std::string::npos;
    for (const Threads& threads : all_threads) {
      INFO("seed " << seed << ", workers " << threads.workers);
      REQUIRE(RandomProgram(platform, threads, seed).trace() == expected);
    }
  }
  CHECK(failures > 50);
  CHECK(ended_by_kill > 0);
}

TEST_CASE("code: in checks it runs in the step of its actor, on one thread", "[simcore][actors]") {
  const Platform platform = actor_platform();
  const std::thread::id here = std::this_thread::get_id();
  int runs = 0;
  sim::SimulationOptions options;
  options.workers = 4;
  ActorProgram program(platform, [&](sim::Simulation& simulation) {
    simulation.add_actor("a", simulation.host("alpha"),
                         [&] { actor::execute(1e9, [&] { runs += std::this_thread::get_id() == here; }); });
  });
  const ActorId group{0};
  program.restart(group);
  while (std::get_if<Choose>(&program.next(group)) != nullptr) {
    Completion first;
    Observation observation;
    observation.completions = {&first, 1};
    program.resume(group, observation);
  }
  CHECK(runs == 1);
}
