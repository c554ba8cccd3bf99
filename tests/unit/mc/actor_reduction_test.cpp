// SPDX-License-Identifier: MIT
//
// Programs of actors that send messages, sleep, compute and share objects: one order of each class of dependent steps
// shows every outcome that all orders show.
#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <set>

#include "mc/explore.hpp"
#include "simcore/actor_api.hpp"
#include "simcore/actor_program.hpp"

using namespace rehearse;

namespace {

enum class Action { put, put_detached, put_async, get, timed_get, sleep, execute, add, locked_add };
constexpr int actions = 9;

using Scripts = std::vector<std::vector<std::pair<Action, int>>>;  // by actor, with the number of a mailbox

// What the actors of one execution have seen.
struct Seen {
  std::vector<std::string> by_actor;
  sim::Mutex mutex;
  sim::SharedVariable<int> sum{0};
  int under_mutex = 0;
  std::size_t ended = 0;

  std::string text() const {
    std::string all;
    for (const std::string& log : by_actor) all += "| " + log;
    return all;
  }
};

void act(sim::Simulation& simulation, Seen& seen, std::size_t self, std::pair<Action, int> action) {
  sim::Mailbox& mailbox = simulation.mailbox("box " + std::to_string(action.second));
  std::string& log = seen.by_actor[self];
  const std::string message = std::to_string(self) + "." + std::to_string(log.size());
  switch (action.first) {
    case Action::put: mailbox.put(message, 10); break;
    case Action::put_detached: mailbox.put_detached(message, 10); break;
    case Action::put_async: mailbox.put_async(message, 10).wait(); break;
    case Action::get: log += mailbox.get<std::string>() + " "; break;
    case Action::timed_get: try { log += mailbox.get<std::string>(1.0) + " ";
      } catch (const sim::TimeoutError&) {
        log += "late ";
      }
      break;
    case Action::sleep: sim::this_actor::sleep_for(1); break;
    case Action::execute: sim::this_actor::execute(1e6); break;
    case Action::add: log += "v" + std::to_string(seen.sum.fetch_add(1)) + " "; break;
    case Action::locked_add: {
      const std::unique_lock lock(seen.mutex);
      log += "m" + std::to_string(seen.under_mutex++) + " ";
    }
  }
  log += "; ";
}

struct Explored {
  std::set<std::string> outcomes;
  mc::Verdict verdict;
};

Explored explored(const Platform& platform, const Scripts& scripts, mc::Reduction reduction) {
  Explored result;
  std::shared_ptr<Seen> seen;
  ActorProgram program(platform, [&](sim::Simulation& simulation) {
    seen = std::make_shared<Seen>();
    seen->by_actor.resize(scripts.size());
    for (std::size_t i = 0; i < scripts.size(); ++i)
      simulation.add_actor(std::to_string(i), simulation.host(HostId{static_cast<std::uint32_t>(i)}),
                           [&simulation, &outcomes = result.outcomes, now = seen, i, script = scripts[i]] {
                             for (const auto& action : script) act(simulation, *now, i, action);
                             if (++now->ended == now->by_actor.size()) outcomes.insert(now->text());
                           });
  });
  mc::ExploreOptions options;
  options.strategy.reduction = reduction;
  options.bounds.all_findings = true;
  options.bounds.max_executions = 20'000;
  result.verdict = mc::explore(program, options, [&](const Outcome& outcome, const Describe& describe) {
    describe(ActorId{0});  // the program stands at this end, which is a deadlock if somebody has not ended
    if (seen->ended < seen->by_actor.size()) result.outcomes.insert(outcome.actors[0].what + seen->text());
    return std::vector<Finding>{};
  });
  return result;
}

Scripts random_scripts(std::uint32_t seed) {
  std::mt19937 random(seed);
  Scripts scripts(2 + random() % 2);
  for (auto& script : scripts)
    for (std::uint32_t i = 0; i < 5 - scripts.size(); ++i)
      script.emplace_back(static_cast<Action>(random() % actions), static_cast<int>(random() % 2));
  return scripts;
}

// Returns the number of programs that were small enough to compare.
int compare(std::uint32_t first_seed, std::uint32_t seeds) {
  Result<Platform> platform = make_platform("cluster:4");
  int compared = 0;
  for (std::uint32_t seed = first_seed; seed < first_seed + seeds; ++seed) {
    const Scripts scripts = random_scripts(seed);
    const Explored all = explored(platform.value(), scripts, mc::Reduction::none);
    if (!all.verdict.exhaustive) continue;
    const Explored reduced = explored(platform.value(), scripts, mc::Reduction::odpor);
    INFO("seed " << seed);
    // A step that touches more than it had said (a timeout of a message) makes the verdict inconclusive.
    if (!reduced.verdict.exhaustive) {
      CHECK_FALSE(reduced.verdict.reasons.empty());
      continue;
    }
    CHECK(reduced.outcomes == all.outcomes);
    CHECK(reduced.verdict.executions <= all.verdict.executions);
    compared += !all.outcomes.empty();
  }
  return compared;
}

}  // namespace

TEST_CASE("actor reduction: random programs have the same outcomes as in all orders", "[mc]") {
  CHECK(compare(1, 25) > 10);
}

TEST_CASE("actor reduction: many random programs have the same outcomes as in all orders", "[.long]") {
  CHECK(compare(1000, 2000) > 500);
}

TEST_CASE("actor reduction: a question and its answer have one order", "[mc]") {
  Result<Platform> platform = make_platform("cluster:4");
  const Scripts scripts = {{{Action::put_detached, 0}, {Action::get, 1}},
                           {{Action::get, 0}, {Action::put_detached, 1}}};
  const Explored reduced = explored(platform.value(), scripts, mc::Reduction::odpor);
  CHECK(reduced.verdict.exhaustive);
  CHECK(reduced.verdict.executions == 1);
}
