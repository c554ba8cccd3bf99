// SPDX-License-Identifier: MIT
//
// Reduction by dependent steps explores one execution for each order of them, and misses nothing that all
// interleavings show: known counts, and brute force on random programs.
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "mc/explore.hpp"
#include "mc/reduction/message_steps.hpp"
#include "mc/reduction/odpor.hpp"
#include "tests/support/group_programs.hpp"
#include "tests/support/litmus.hpp"
#include "tests/support/random_litmus.hpp"
#include "tests/support/verdicts.hpp"

namespace odpor_test {

using namespace rehearse;
using tests::all_orders;
using tests::GroupShape;
using tests::Observed;
using tests::WatchedGroup;

namespace {

using tests::explored;

const Platform& platform() {
  static Result<Platform> made = make_platform("cluster:1");
  return made.value();
}

using Variable = sim::SharedVariable<int>;
using Body = std::function<void()>;

// Each actor runs one of the functions that `make` gives for what they share.
template <class Shared>
WatchedGroup::Setup group(std::function<std::vector<Body>(std::shared_ptr<Shared>)> make) {
  return [make](sim::Simulation& simulation, const std::shared_ptr<Observed>&) {
    int number = 0;
    for (Body& body : make(std::make_shared<Shared>()))
      simulation.add_actor(std::to_string(number++), simulation.host(HostId{0}), std::move(body));
  };
}

// The number of executions explored is that of the orders of dependent steps.
std::uint64_t orders(const WatchedGroup::Setup& setup) {
  WatchedGroup program(platform(), setup);
  const mc::Verdict verdict = explored(program, mc::Reduction::odpor);
  CHECK(verdict.exhaustive);
  CHECK(verdict.duplicates == 0);
  return verdict.executions;
}

// `strays`: steps may touch more than they said (locks that an exception lets go): nothing is missed then, but an order
// can be begun twice.
void same_as_brute_force(const WatchedGroup::Setup& setup, bool strays, std::size_t& compared,
                         std::size_t interleavings_max = 400) {
  WatchedGroup every(platform(), setup);
  const tests::AllOrders all = all_orders(every, interleavings_max);
  if (!all.is_complete) return;
  ++compared;
  WatchedGroup reduced(platform(), setup);
  const mc::Verdict verdict = explored(reduced, mc::Reduction::odpor);
  CHECK(reduced.endings() == every.endings());
  CHECK(verdict.executions == all.orders.size());
  CHECK((strays || verdict.duplicates == 0));
  CHECK(verdict.exhaustive);
}

mc::Verdict explored(const std::string& litmus, mc::Reduction reduction, const mc::Policy& policy) {
  const std::unique_ptr<Program> program = tests::make_litmus(litmus);
  mc::ExploreOptions options;
  options.strategy.reduction = reduction;
  options.semantics.policies = {policy};
  options.bounds.all_findings = true;
  return mc::explore(*program, options, [](const Outcome&, const Describe&) { return std::vector<Finding>(); });
}

void same_as_brute_force(const std::string& litmus) {
  for (const mc::Policy& policy : {mc::Policy{}, mc::Policy{0, false}, mc::Policy{4, false}, mc::Policy{0, true}}) {
    const mc::Verdict reduced = explored(litmus, mc::Reduction::odpor, policy);
    const mc::Verdict all = explored(litmus, mc::Reduction::none, policy);
    INFO(litmus << "policy " << to_text(policy));
    CHECK(reduced.executions == all.executions);
    CHECK(reduced.blocked == all.blocked);
    CHECK(reduced.duplicates == 0);
  }
}

// The orders of dependent steps, by every interleaving.
class AllOrdersOfSteps {
 public:
  static constexpr std::size_t limit = 100;

  explicit AllOrdersOfSteps(mc::reduction::Steps& steps) : steps_(steps) { visit(); }
  std::size_t orders() const { return orders_.size(); }
  bool is_complete() const { return interleavings_ <= limit; }

 private:
  void visit() {
    if (interleavings_ > limit) return;
    std::vector<mc::reduction::Step> list;
    steps_.list(list);
    for (mc::reduction::Step& step : list) {
      steps_.take(step);
      path_.push_back(step);
      visit();
      path_.pop_back();
      steps_.take_back();
    }
    if (!list.empty()) return;
    ++interleavings_;
    std::vector<std::set<std::size_t>> past(path_.size());
    std::map<std::uint64_t, int> counts;
    std::set<std::string> lines;
    std::vector<std::string> names;
    for (std::size_t j = 0; j < path_.size(); ++j) {
      names.push_back(std::to_string(path_[j].who) + "/" + std::to_string(path_[j].what) + "." +
                      std::to_string(++counts[path_[j].who]));
      for (std::size_t i = 0; i < j; ++i) {
        if (path_[i].who != path_[j].who && !dependent(path_[i].footprint, path_[j].footprint)) continue;
        past[j].insert(i);
        past[j].insert(past[i].begin(), past[i].end());
      }
      std::set<std::string> before;
      for (const std::size_t i : past[j]) before.insert(names[i]);
      std::string line = names[j] + ":";
      for (const std::string& name : before) line += " " + name;
      lines.insert(line);
    }
    std::string order;
    for (const std::string& line : lines) order += line + "\n";
    orders_.insert(order);
  }

  mc::reduction::Steps& steps_;
  std::vector<mc::reduction::Step> path_;
  std::size_t interleavings_ = 0;
  std::set<std::string> orders_;
};

// Whether there were few enough interleavings to count.
bool has_as_many_executions_as_orders(const std::string& litmus, const mc::Policy& policy) {
  const std::unique_ptr<Program> program = tests::make_litmus(litmus);
  mc::history::History history(*program, std::uint64_t{1} << 26);
  std::vector<bool> recalling(program->actor_count(), true);
  mc::reduction::MessageSteps steps(history, program->actor_count(), policy, 1, recalling);
  const AllOrdersOfSteps all(steps);
  if (!all.is_complete()) return false;
  mc::reduction::Odpor odpor(steps);
  std::size_t executions = 0;
  odpor.run([&] { return ++executions > 0; }, [] { return true; });
  INFO(litmus << "policy " << to_text(policy));
  CHECK(executions == all.orders());
  CHECK(odpor.abandoned() == 0);
  CHECK(odpor.impossible() == 0);
  return true;
}

struct OneMutex {
  sim::Mutex mutex;
  Variable variable;
};

WatchedGroup::Setup readers(int n) {
  return group<Variable>([n](const auto& x) {
    std::vector<Body> bodies{[x] { x->store(42); }};
    for (int i = 0; i < n; ++i) bodies.push_back([x] { (void)x->load(); });
    return bodies;
  });
}

WatchedGroup::Setup last_zero(int n) {
  struct Array {
    Variable cells[16];
  };
  return group<Array>([n](const auto& a) {
    std::vector<Body> bodies{[a, n] {
      for (int i = n; a->cells[i].load() != 0; --i) continue;
    }};
    for (int j = 1; j <= n; ++j) bodies.push_back([a, j] { a->cells[j].store(a->cells[j - 1].load() + 1); });
    return bodies;
  });
}

WatchedGroup::Setup mutex_order(int n) {
  return group<OneMutex>([n](const auto& s) {
    return std::vector<Body>(static_cast<std::size_t>(n), [s] {
      s->mutex.lock();
      s->mutex.unlock();
    });
  });
}

// `lockers` take the mutex, `triers` only if it is free.
WatchedGroup::Setup mutex_and_try_lock(int lockers, int triers) {
  return group<OneMutex>([lockers, triers](const auto& s) {
    std::vector<Body> bodies;
    for (int i = 0; i < lockers + triers; ++i)
      bodies.push_back([s, waits = i < lockers] {
        if (waits) s->mutex.lock();
        else if (!s->mutex.try_lock()) return;
        s->mutex.unlock();
      });
    return bodies;
  });
}

// Three take the mutex, and each gives it back only if it was the right one's turn.
WatchedGroup::Setup mutex_kept() {
  return group<OneMutex>([](const auto& s) {
    std::vector<Body> bodies;
    for (int i = 0; i < 3; ++i)
      bodies.push_back([s, i] {
        s->mutex.lock();
        if (s->variable.fetch_add(1) == i) s->mutex.unlock();
      });
    return bodies;
  });
}

WatchedGroup::Setup compare_exchange(int n) {
  return group<Variable>([n](const auto& x) {
    std::vector<Body> bodies;
    for (int i = 0; i < n; ++i)
      bodies.push_back([x, i] {
        int expected = i;
        (void)x->compare_exchange(expected, i + 1);
      });
    return bodies;
  });
}

struct TwoVariables {
  Variable i{1}, j{1};
};

WatchedGroup::Setup fibonacci(int n) {
  return group<TwoVariables>([n](const auto& s) {
    const auto adds = [s, n](Variable& to) {
      for (int k = 0; k < n; ++k) {
        const int i = s->i.load();
        to.store(i + s->j.load());
      }
    };
    return std::vector<Body>{[adds, s] { adds(s->i); }, [adds, s] { adds(s->j); },
                             [s] {
                               (void)s->i.load();
                               (void)s->j.load();
                             }};
  });
}

WatchedGroup::Setup philosophers(int n) {
  struct Table {
    sim::Mutex forks[16];
  };
  return group<Table>([n](const auto& table) {
    std::vector<Body> bodies;
    for (int i = 0; i < n; ++i)
      bodies.push_back([table, i, n] {
        sim::Mutex& left = table->forks[i];
        sim::Mutex& right = table->forks[(i + 1) % n];
        left.lock();
        right.lock();
        right.unlock();
        left.unlock();
      });
    return bodies;
  });
}

}  // namespace

TEST_CASE("odpor: programs with shared variables have the published numbers of orders", "[mc]") {
  for (int n = 1; n <= 7; ++n) CHECK(orders(readers(n)) == std::uint64_t{1} << n);
  CHECK(orders(last_zero(1)) == 2);
  for (int n = 2; n <= 7; ++n) CHECK(orders(last_zero(n)) == (n + 3) * (std::uint64_t{1} << (n - 2)));
  CHECK(orders(compare_exchange(3)) == 5);
  CHECK(orders(fibonacci(1)) == 11);
  CHECK(orders(fibonacci(2)) == 140);
}

TEST_CASE("odpor: a group that was explored before is explored again", "[mc]") {
  WatchedGroup program(platform(), readers(3));
  for (const mc::Reduction reduction : {mc::Reduction::odpor, mc::Reduction::none, mc::Reduction::odpor})
    CHECK(explored(program, reduction).executions == (reduction == mc::Reduction::odpor ? 8 : 2520));
}

TEST_CASE("odpor: programs with mutexes have the published numbers of orders", "[mc]") {
  CHECK(orders(mutex_order(2)) == 2);
  CHECK(orders(mutex_order(3)) == 6);
  CHECK(orders(mutex_order(5)) == 120);
  CHECK(orders(mutex_and_try_lock(1, 1)) == 3);
  // 16 and 24 where attempts that fail are ordered among each other.
  CHECK(orders(mutex_and_try_lock(1, 2)) == 15);
  CHECK(orders(mutex_and_try_lock(0, 3)) == 21);
  CHECK(orders(mutex_kept()) == 4);
}

TEST_CASE("odpor: philosophers take each fork in both orders, and one choice deadlocks", "[mc]") {
  for (int n = 2; n <= 7; ++n) {
    WatchedGroup program(platform(), philosophers(n));
    const mc::Verdict verdict = explored(program, mc::Reduction::odpor);
    CHECK(verdict.executions == (std::uint64_t{1} << n) - 1);
    CHECK(verdict.duplicates == 0);
    REQUIRE(verdict.findings.size() == 1);
    CHECK(verdict.findings[0].id == "deadlock.actors");
  }
}

TEST_CASE("odpor: random groups have the orders and the endings of all interleavings", "[mc][fuzz]") {
  GroupShape shape;
  shape.actors = GENERATE(2u, 3u);
  shape.timeouts = GENERATE(false, true);
  shape.failures = GENERATE(false, true);
  shape.steps = shape.actors == 2 ? 3 : 1;
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    INFO("seed " << seed << ", " << shape.actors << " actors, timeouts " << shape.timeouts << ", failures "
                 << shape.failures);
    same_as_brute_force(random_group(seed, shape), shape.failures, compared);
  }
  CHECK(compared > 4);
}

// Groups in which an order was missed once: an alarm between two that take one mutex.
TEST_CASE("odpor: each actor can take a mutex first, whatever its holder waits for", "[mc]") {
  GroupShape shape;
  shape.timeouts = true;
  std::size_t compared = 0;
  same_as_brute_force(random_group(2026, shape), false, compared, 1200);
  shape.failures = true;
  same_as_brute_force(random_group(1438, shape), true, compared, 1200);
  CHECK(compared == 2);
}

TEST_CASE("odpor: random message programs have the classes of brute force", "[mc][fuzz]") {
  tests::LitmusShape shape;
  shape.messages = 4;
  SECTION("plain") {}
  SECTION("probes and waits for any") { shape.probes = shape.waitany = true; }
  SECTION("polls, barriers and choices") {
    shape.polls = shape.barriers = shape.choices = true;
    shape.messages = 3;
  }
  SECTION("matched probes, withdrawn and freed receives") {
    shape.takes = shape.cancels = shape.polls = shape.frees = true;
  }
  shape.messages = 4;
  for (std::uint64_t seed = 1; seed <= 15; ++seed) same_as_brute_force(random_litmus(seed, shape));
}

TEST_CASE("odpor: random message programs are explored once for each order of dependent steps", "[mc][fuzz]") {
  tests::LitmusShape shape;
  shape.probes = shape.waitany = GENERATE(false, true);
  shape.polls = shape.takes = shape.cancels = GENERATE(false, true);
  shape.messages = 3;
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    for (const mc::Policy& policy : {mc::Policy{}, mc::Policy{0, false}})
      compared += has_as_many_executions_as_orders(random_litmus(seed, shape), policy);
  CHECK(compared > 4);
}

}  // namespace odpor_test
