// SPDX-License-Identifier: MIT
//
// Races on plain accesses to shared variables. The judge of random programs knows nothing about clocks: a program has a
// race if, in some order of all steps, two actors stand at conflicting accesses at the same time (Boehm and Adve 2008).
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <set>

#include "mc/explore.hpp"
#include "properties/judge.hpp"
#include "simcore/actor_api.hpp"
#include "simcore/actor_program.hpp"

using namespace rehearse;

namespace variable_race {
namespace {

constexpr std::uint32_t actors_max = 3;

std::vector<Finding> judged(const Outcome& outcome, const Describe& describe) {
  return properties::judge_failures(outcome, describe);
}

struct Shared {
  sim::SharedVariable<int> variables[2];
  sim::SharedVariable<int> flag;
  sim::Mutex mutex;
  sim::Semaphore semaphore{1};
  std::unique_ptr<sim::Barrier> barrier;
  // The access at which an actor stands: 0, or 1 + 2 * variable + (1: it writes).
  std::uint32_t about[actors_max] = {};
};

bool conflict(std::uint32_t a, std::uint32_t b) {
  if (a == 0 || b == 0) return false;
  return (a - 1) / 2 == (b - 1) / 2 && ((a - 1) % 2 == 1 || (b - 1) % 2 == 1);
}

enum class Action {
  read,
  write,
  locked_read,
  locked_write,
  store_flag,
  if_flag_read,
  put,
  get,
  put_later,
  acquire,
  give,
  barrier,
  sleep
};
constexpr std::uint32_t actions = 13;

struct Step {
  Action action;
  std::uint32_t number;  // of a variable or mailbox
};

using Scripts = std::vector<std::vector<Step>>;

class Player {
 public:
  Player(sim::Simulation& simulation, std::shared_ptr<Shared> shared, std::uint32_t self, bool& adjacent)
      : simulation_(simulation), shared_(std::move(shared)), self_(self), adjacent_(adjacent) {}

  void play(const std::vector<Step>& script) {
    for (const Step& step : script) act(step);
    for (sim::Comm& message : messages_) message.wait();
  }

 private:
  void access(std::uint32_t variable, bool writes) {
    std::uint32_t& mine = shared_->about[self_];
    mine = 1 + 2 * variable + writes;
    for (std::uint32_t other = 0; other < actors_max; ++other)
      adjacent_ = adjacent_ || (other != self_ && conflict(mine, shared_->about[other]));
    if (writes) shared_->variables[variable].write(1);
    else (void)shared_->variables[variable].read();
    mine = 0;
  }

  void act(const Step& step) {
    Shared& all = *shared_;
    sim::Mailbox& mailbox = simulation_.mailbox(std::to_string(step.number));
    switch (step.action) {
      case Action::read: return access(step.number, false);
      case Action::write: return access(step.number, true);
      case Action::locked_read:
      case Action::locked_write: {
        const std::unique_lock lock(all.mutex);
        return access(step.number, step.action == Action::locked_write);
      }
      case Action::store_flag: return all.flag.store(1);
      case Action::if_flag_read: {
        if (all.flag.load() == 1) access(step.number, false);
        return;
      }
      case Action::put: return mailbox.put(1, 10);
      case Action::get: return (void)mailbox.get<int>();
      case Action::put_later: return (void)messages_.emplace_back(mailbox.put_async(1, 10));
      case Action::acquire: return all.semaphore.acquire();
      case Action::give: return all.semaphore.release();
      case Action::barrier: return (void)all.barrier->wait();
      case Action::sleep: return sim::this_actor::sleep_for(1);
    }
  }

  sim::Simulation& simulation_;
  std::shared_ptr<Shared> shared_;
  std::uint32_t self_;
  bool& adjacent_;
  std::vector<sim::Comm> messages_;
};

struct Explored {
  bool adjacent = false;
  bool is_exhaustive = false;
  bool found = false;
  std::set<std::string> messages;  // of all findings
};

Explored explored(const Platform& platform, const Scripts& scripts, mc::Reduction reduction) {
  Explored result;
  ActorProgram program(platform, [&](sim::Simulation& simulation) {
    const auto shared = std::make_shared<Shared>();
    shared->barrier = std::make_unique<sim::Barrier>(2);
    for (std::uint32_t i = 0; i < scripts.size(); ++i)
      simulation.add_actor(std::to_string(i), simulation.host(HostId{i}),
                           [&simulation, &adjacent = result.adjacent, shared, i, &script = scripts[i]] {
                             Player(simulation, shared, i, adjacent).play(script);
                           });
  });
  mc::ExploreOptions options;
  options.strategy.reduction = reduction;
  options.bounds.all_findings = true;
  options.bounds.max_executions = 3'000;
  const mc::Verdict verdict = mc::explore(program, options, judged);
  result.is_exhaustive = verdict.exhaustive;
  result.found = std::ranges::any_of(verdict.findings, [](const Finding& it) { return it.id == "race.variable"; });
  for (const Finding& finding : verdict.findings) result.messages.insert(finding.message);
  return result;
}

Scripts random_scripts(std::uint32_t seed) {
  std::mt19937 random(seed);
  Scripts scripts(2 + random() % 2);
  for (auto& script : scripts)
    for (std::uint32_t i = 0; i < 5 - scripts.size(); ++i)
      script.push_back({static_cast<Action>(random() % actions), static_cast<std::uint32_t>(random() % 2)});
  return scripts;
}

struct Compared {
  int with_race = 0, without = 0;
};

Compared compare(std::uint32_t first_seed, std::uint32_t seeds) {
  Result<Platform> platform = make_platform("cluster:4");
  Compared compared;
  for (std::uint32_t seed = first_seed; seed < first_seed + seeds; ++seed) {
    const Scripts scripts = random_scripts(seed);
    const Explored all = explored(platform.value(), scripts, mc::Reduction::none);
    if (!all.is_exhaustive) continue;
    const Explored reduced = explored(platform.value(), scripts, mc::Reduction::odpor);
    INFO("seed " << seed);
    CHECK(all.found == all.adjacent);
    CHECK(reduced.is_exhaustive);
    CHECK(reduced.messages == all.messages);  // the races and the deadlocks
    ++(all.adjacent ? compared.with_race : compared.without);
  }
  return compared;
}

using Body = void (*)(sim::Simulation&, Shared&);

std::vector<std::string> findings_of(Body first, Body second) {
  Result<Platform> platform = make_platform("cluster:2");
  ActorProgram program(platform.value(), [&](sim::Simulation& simulation) {
    const auto shared = std::make_shared<Shared>();
    std::uint32_t host = 0;
    for (const Body body : {first, second})
      simulation.add_actor(host == 0 ? "first" : "second", simulation.host(HostId{host++}),
                           [&simulation, shared, body] { body(simulation, *shared); });
  });
  mc::ExploreOptions options;
  options.strategy.reduction = mc::Reduction::odpor;
  options.bounds.all_findings = true;
  std::vector<std::string> ids;
  for (const Finding& finding : mc::explore(program, options, judged).findings) ids.push_back(finding.id.text());
  return ids;
}

const std::vector<std::string> none, race{"race.variable"};

}  // namespace

TEST_CASE("variable race: two writes without order", "[mc]") {
  const Body writes = [](sim::Simulation&, Shared& all) { all.variables[0].write(1); };
  CHECK(findings_of(writes, writes) == race);
  CHECK(findings_of(writes, [](sim::Simulation&, Shared& all) { all.variables[1].write(1); }) == none);
  CHECK(findings_of(writes, [](sim::Simulation&, Shared& all) { (void)all.variables[0].load(); }) == race);
  const Body reads = [](sim::Simulation&, Shared& all) { (void)all.variables[0].read(); };
  CHECK(findings_of(reads, reads) == none);
  const Body adds = [](sim::Simulation&, Shared& all) { all.variables[0].fetch_add(1); };
  CHECK(findings_of(adds, adds) == none);
}

TEST_CASE("variable race: mutexes, messages, joins and atomic flags order accesses", "[mc]") {
  const Body locked = [](sim::Simulation&, Shared& all) {
    const std::unique_lock lock(all.mutex);
    all.variables[0].write(1);
  };
  CHECK(findings_of(locked, locked) == none);
  const Body puts = [](sim::Simulation& simulation, Shared& all) {
    all.variables[0].write(1);
    simulation.mailbox("box").put(1, 10);
  };
  const Body gets = [](sim::Simulation& simulation, Shared& all) {
    (void)simulation.mailbox("box").get<int>();
    all.variables[0].write(2);
  };
  CHECK(findings_of(puts, gets) == none);
  const Body writes_after_put = [](sim::Simulation& simulation, Shared& all) {
    simulation.mailbox("box").put_detached(1, 10);
    all.variables[0].write(1);
  };
  CHECK(findings_of(writes_after_put, gets) == race);
  const Body sets_flag = [](sim::Simulation&, Shared& all) {
    all.variables[0].write(1);
    all.flag.store(1);
  };
  const Body if_flag = [](sim::Simulation&, Shared& all) {
    if (all.flag.load() == 1) (void)all.variables[0].read();
  };
  CHECK(findings_of(sets_flag, if_flag) == none);
  const Body joins = [](sim::Simulation& simulation, Shared& all) {
    const auto child = simulation.add_actor("child", sim::this_actor::host(), [&all] { all.variables[0].write(1); });
    child.join();
    (void)all.variables[0].read();
  };
  CHECK(findings_of(joins, [](sim::Simulation&, Shared&) {}) == none);
}

TEST_CASE("variable race: random programs against the accesses that meet", "[mc]") {
  const Compared compared = compare(1, 60);
  CHECK(compared.with_race > 5);
  CHECK(compared.without > 5);
}

TEST_CASE("variable race: many random programs against the accesses that meet", "[.long]") {
  const Compared compared = compare(1000, 3000);
  CHECK(compared.with_race > 500);
  CHECK(compared.without > 500);
}

// An execution that ends at a race hid orders of others, or an actor that waits for a token at its end.
TEST_CASE("variable race: programs that once differed", "[mc]") {
  for (const std::uint32_t seed : {1370u, 1403u, 1547u}) CHECK(compare(seed, 1).with_race == 1);
}

}  // namespace variable_race
