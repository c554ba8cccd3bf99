// SPDX-License-Identifier: MIT
//
// The exploration visits exactly the classes of legal executions: known counts, and brute force on random programs.
#include "mc/explore.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/support/litmus.hpp"
#include "tests/support/random_litmus.hpp"
#include "tests/support/shared_flag.hpp"
#include "tests/support/verdicts.hpp"

namespace explore_test {

using namespace rehearse;
using namespace rehearse::mc;
using tests::make_litmus;

namespace {

const Policy infinite{};
const Policy zero{0, false};

Verdict explored(const std::string& text, Reduction reduction, const Policy& policy) {
  const std::unique_ptr<Program> program = make_litmus(text);
  ExploreOptions options;
  options.strategy.reduction = reduction;
  options.semantics.policies = {policy};
  options.bounds.all_findings = true;
  return explore(*program, options, [](const Outcome&, const Describe&) { return std::vector<Finding>(); });
}

struct Known {
  const char* name;
  const char* text;
  std::uint64_t infinite, infinite_blocked, zero, zero_blocked;
};

// Counts by exhaustive enumeration (tests/oracle).
const Known known[] = {
    {"all to all",
     "0: send 1 0 ; send 2 0 ; recv * 0 ; recv * 0\n1: send 0 0 ; send 2 0 ; recv * 0 ; recv * 0\n"
     "2: send 0 0 ; send 1 0 ; recv * 0 ; recv * 0\n",
     8, 0, 1, 1},
    {"answer to own question", "0: irecv * 0 a ; send 1 0 ; wait a ; recv * 0\n1: recv 0 0 ; send 0 0\n2: send 0 0\n",
     2, 0, 2, 0},
    {"branch on source", "0: recv * 0 ; onsrc 1: recv 2 0 | 2: recv 1 1\n1: send 0 0\n2: send 0 0\n", 2, 1, 2, 1},
    {"choices", "0: choose 3 ; onsrc 0: recv * 0 | 1: send 1 0\n1: choose 2 ; onsrc 1: send 0 0\n", 6, 1, 6, 4},
    {"crooked barrier",
     "0: irecv * 0 a ; barrier ; wait a ; recv * 0\n1: isend 0 0 a ; barrier ; wait a\n"
     "2: barrier ; send 0 0\n",
     2, 0, 2, 0},
    {"halo",
     "0: irecv 1 0 a ; irecv 2 1 b ; isend 2 0 c ; isend 1 1 d ; waitall a b c d\n"
     "1: irecv 2 0 a ; irecv 0 1 b ; isend 0 0 c ; isend 2 1 d ; waitall a b c d\n"
     "2: irecv 0 0 a ; irecv 1 1 b ; isend 1 0 c ; isend 0 1 d ; waitall a b c d\n",
     1, 0, 1, 0},
    {"fifo prefixes",
     "0: recv * 0 ; recv * 0 ; recv * 0\n1: send 0 0 ; send 0 0\n2: send 0 0 ; send 3 0\n"
     "3: recv 2 0 ; send 0 0\n",
     12, 0, 6, 6},
    {"head to head", "0: send 1 0 ; recv 1 0\n1: send 0 0 ; recv 0 0\n", 1, 0, 1, 1},
    {"irecv steals", "0: irecv * 0 a ; recv 1 0 ; wait a\n1: send 0 0\n2: send 0 0\n", 2, 1, 2, 1},
    {"named then wildcard", "0: irecv 1 0 a ; recv * 0 ; wait a\n1: send 0 0 ; send 0 0\n2: send 0 0\n", 2, 0, 2, 2},
    {"overtaking", "0: recv * 0 ; recv * 0\n1: send 0 0 ; send 2 0\n2: recv 1 0 ; send 0 0\n", 2, 0, 1, 0},
    {"poll a request", "0: irecv 1 0 a ; test a ; test a ; wait a\n1: send 0 0\n", 3, 0, 3, 0},
    {"poll for a message", "0: iprobe * 0 ; iprobe * 0 ; recv * 0\n1: send 0 0\n", 3, 0, 3, 0},
    {"probe then other", "0: probe * 0 ; recv * 0 ; recv * 0\n1: send 0 0\n2: send 0 0\n", 4, 0, 4, 0},
    {"synchronous cycle", "0: ssend 1 0 ; recv 2 0\n1: ssend 2 0 ; recv 0 0\n2: ssend 0 0 ; recv 1 0\n", 1, 1, 1, 1},
    {"tags out of order", "0: recv 1 2 ; recv 1 1\n1: send 0 1 ; send 0 2\n", 1, 0, 1, 1},
    {"two hubs", "0: recv * 0 ; recv * 0\n1: recv * 0 ; recv * 0\n2: send 0 0 ; send 1 0\n3: send 0 0 ; send 1 0\n", 4,
     0, 4, 0},
    {"waitany", "0: irecv 1 0 a ; irecv 2 0 b ; waitany a b ; waitall a b\n1: send 0 0\n2: send 0 0\n", 2, 0, 2, 0},
    {"waits reversed", "0: irecv * 0 a ; irecv * 0 b ; wait b ; wait a\n1: send 0 0\n2: send 0 0\n", 2, 0, 2, 0},
};

// The number of distinct orders in which one receiver takes one message from each of n senders.
std::string fan_in(std::uint32_t senders) {
  std::string text = "0: ";
  for (std::uint32_t s = 0; s < senders; ++s) text += "recv * 0 ; ";
  text += "\n";
  for (std::uint32_t s = 1; s <= senders; ++s) text += std::to_string(s) + ": send 0 0\n";
  return text;
}

// `matching` explores one execution per class of infinite buffering or, where synchronous sends exist, of more: the
// counted classes must be those of brute force in any case.
void same_as_brute_force(const std::string& text) {
  for (const Policy& policy : {infinite, zero, Policy{4, false}}) {
    const Verdict fast = explored(text, Reduction::matching, policy);
    const Verdict slow = explored(text, Reduction::none, policy);
    INFO(text << "policy " << to_text(policy));
    REQUIRE(fast.executions == slow.executions);
    REQUIRE(fast.blocked == slow.blocked);
  }
}

}  // namespace

TEST_CASE("explore: known programs have the counted classes, each explored once", "[mc]") {
  for (const Known& k : known) {
    INFO(k.name);
    for (const Reduction reduction : {Reduction::matching, Reduction::none}) {
      const Verdict under_infinite = explored(k.text, reduction, infinite);
      CHECK(under_infinite.executions == k.infinite);
      CHECK(under_infinite.blocked == k.infinite_blocked);
      CHECK(under_infinite.duplicates == 0);
      const Verdict under_zero = explored(k.text, reduction, zero);
      CHECK(under_zero.executions == k.zero);
      CHECK(under_zero.blocked == k.zero_blocked);
    }
  }
}

TEST_CASE("explore: a fan-in of n wildcard receives has n! executions", "[mc]") {
  std::uint64_t factorial = 1;
  for (std::uint32_t n = 1; n <= 7; ++n) {
    factorial *= n;
    const Verdict verdict = explored(fan_in(n), Reduction::matching, infinite);
    CHECK(verdict.executions == factorial);
    CHECK(verdict.duplicates == 0);
    CHECK(verdict.exhaustive);
  }
}

TEST_CASE("explore: random programs have the classes of brute force", "[mc][fuzz]") {
  tests::LitmusShape shape;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) same_as_brute_force(random_litmus(seed, shape));
}

TEST_CASE("explore: random programs with probes and waits for any have the classes of brute force", "[mc][fuzz]") {
  tests::LitmusShape shape;
  shape.probes = shape.waitany = true;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) same_as_brute_force(random_litmus(seed, shape));
}

TEST_CASE("explore: random programs with polls and barriers have the classes of brute force", "[mc][fuzz]") {
  tests::LitmusShape shape;
  shape.polls = shape.barriers = true;
  shape.messages = 4;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) same_as_brute_force(random_litmus(seed, shape));
}

TEST_CASE("explore: random programs with collectives between two groups have the classes of brute force",
          "[mc][fuzz]") {
  tests::LitmusShape shape;
  shape.collectives = shape.groups = true;
  shape.polls = GENERATE(false, true);
  shape.actors = GENERATE(3u, 4u);
  shape.messages = 3;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::string text = random_litmus(seed, shape);
    for (const Policy& policy : {infinite, zero, Policy{Policy::infinite, true}, Policy{0, true}}) {
      const Verdict fast = explored(text, Reduction::matching, policy);
      const Verdict slow = explored(text, Reduction::none, policy);
      INFO(text << "policy " << to_text(policy));
      REQUIRE(fast.executions == slow.executions);
      REQUIRE(fast.blocked == slow.blocked);
      REQUIRE(fast.fingerprint == slow.fingerprint);
    }
  }
}

// Ends: without extra synchronisation, and where everybody waits for everybody.
TEST_CASE("explore: between two groups a member waits for the other group only, unless synchronising", "[mc]") {
  struct Ends {
    const char* name;
    const char* text;
    std::uint64_t blocked, blocked_if_all_wait;
  };
  const Ends cases[] = {
      {"not for its own group", "0: xbarrier 2 ; send 1 0\n1: recv 0 0 ; xbarrier 2\n2: xbarrier 2\n", 0, 1},
      {"for all of the other group", "0: xbarrier 1\n1: xbarrier 1 ; send 2 0\n2: recv 1 0 ; xbarrier 1\n", 0, 1},
      {"for each of the other group", "0: xbarrier 1 ; send 2 0\n1: xbarrier 1\n2: recv 0 0 ; xbarrier 1\n", 1, 1},
      {"nobody waits for who is not the root", "0: xbcast 2 0\n1: recv 2 0 ; xbcast 2 0\n2: xbcast 2 0 ; send 1 0\n", 0,
       1},
      {"the other group waits for the root", "0: recv 2 0 ; xbcast 2 0\n1: xbcast 2 0\n2: xbcast 2 0 ; send 0 0\n", 1,
       1},
      {"the root waits for nobody to broadcast", "0: xbcast 1 0 ; send 1 0\n1: recv 0 0 ; xbcast 1 0\n", 0, 1},
      {"the root waits for the other group to reduce", "0: xreduce 1 0 ; send 1 0\n1: recv 0 0 ; xreduce 1 0\n", 1, 1},
      {"the others do not wait to reduce", "0: recv 1 0 ; xreduce 1 0\n1: xreduce 1 0 ; send 0 0\n", 0, 1},
      {"bystanders do not wait to reduce", "0: recv 1 0 ; xreduce 2 0\n1: xreduce 2 0 ; send 0 0\n2: xreduce 2 0\n", 0,
       1},
      {"roots in the same group", "0: xbcast 2 0\n1: xbcast 2 1\n2: xbcast 2 0\n", 0, 1},
      {"roots in both groups", "0: xreduce 1 1\n1: xreduce 1 0\n", 0, 1},
      {"who is named does not know", "0: xbcast 2 1\n1: xbcast 2 0\n2: xbcast 2 0\n", 1, 1},
      {"nobody is the root", "0: xbcast 2 1\n1: xbcast 2 0\n2: xbcast 2 3\n3: xbcast 2 2\n", 0, 1},
  };
  for (const Ends& c : cases)
    for (const Reduction reduction : {Reduction::matching, Reduction::none, Reduction::odpor}) {
      INFO(c.name);
      CHECK(explored(c.text, reduction, infinite).blocked == c.blocked);
      CHECK(explored(c.text, reduction, Policy{Policy::infinite, true}).blocked == c.blocked_if_all_wait);
    }
}

TEST_CASE("explore: random programs with choices have the classes of brute force", "[mc][fuzz]") {
  tests::LitmusShape shape;
  shape.choices = shape.polls = true;
  shape.messages = 4;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) same_as_brute_force(random_litmus(seed, shape));
}

TEST_CASE("explore: matched probes and withdrawn receives have the classes of brute force", "[mc][differential]") {
  tests::LitmusShape shape;
  shape.takes = true;
  shape.cancels = GENERATE(false, true);
  shape.polls = GENERATE(false, true);
  shape.messages = 4;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) same_as_brute_force(random_litmus(seed, shape));
}

TEST_CASE("explore: receives without a wait have the classes of brute force", "[mc][differential]") {
  tests::LitmusShape shape;
  shape.frees = true;
  shape.messages = 4;
  shape.takes = shape.cancels = GENERATE(false, true);
  shape.polls = GENERATE(false, true);
  shape.probes = shape.waitany = GENERATE(false, true);
  for (std::uint64_t seed = 1; seed <= 100; ++seed) same_as_brute_force(random_litmus(seed, shape));
}

TEST_CASE("explore: collectives among other requests have the classes of brute force", "[mc][fuzz]") {
  tests::LitmusShape shape;
  shape.collectives = shape.polls = true;
  shape.messages = 3;
  shape.waitany = shape.some = GENERATE(false, true);
  shape.actors = GENERATE(2u, 3u);
  for (std::uint64_t seed = 1; seed <= 120; ++seed) same_as_brute_force(random_litmus(seed, shape));
}

TEST_CASE("explore: a probed message is probed again unless a receive takes it", "[mc]") {
  same_as_brute_force("0: ssend 1 0 ; ssend 1 1 ; recv 1 0\n2: issend 1 0 a\n"
                      "1: probe * 0 ; iprobe * 0 ; irecv * 0 a ; recv * 1 ; send 0 0 ; iprobe * * ; recv * *\n");
  same_as_brute_force("0: issend 2 0 a ; ssend 1 1 ; wait a\n1: ssend 2 1 ; isend 2 0 a ; recv * 1 ; wait a\n"
                      "2: irecv 1 1 a ; probe * 0 ; recv * 0 ; iprobe * * ; irecv * * b ; waitall a b\n");
  same_as_brute_force("0: ssend 1 1 ; issend 1 0 a ; ssend 2 1 ; wait a\n2: isend 1 1 a ; iprobe 0 * ; irecv 0 * b\n"
                      "1: iprobe * 1 ; irecv * 1 a ; iprobe 0 0 ; recv 0 0 ; iprobe * 1 ; irecv * 1 b ; wait a\n");
}

TEST_CASE("explore: a reached bound is named, and the verdict is not exhaustive", "[mc]") {
  const std::unique_ptr<Program> program = make_litmus(fan_in(5));
  ExploreOptions options;
  options.bounds.max_executions = 10;
  const Verdict verdict =
      explore(*program, options, [](const Outcome&, const Describe&) { return std::vector<Finding>(); });
  CHECK(verdict.executions == 10);
  CHECK_FALSE(verdict.exhaustive);
  REQUIRE(verdict.reasons.size() == 1);
  CHECK(verdict.reasons[0].find("--max-executions") != std::string::npos);
}

TEST_CASE("explore: an endless execution is stopped on request", "[mc]") {
  std::string sends, receives;
  for (int i = 0; i < 2000; ++i) {
    sends += "send 0 0 ; ";
    receives += "recv 1 0 ; ";
  }
  const std::unique_ptr<Program> program = make_litmus("0: " + receives + "\n1: " + sends + "\n");
  tests::SharedFlag flag;
  flag.set();
  ExploreOptions options;
  options.strategy.search = GENERATE(Search::depth_first, Search::random);
  options.strategy.walks = 20;
  options.hooks.stop = flag.stop();
  const Verdict verdict =
      explore(*program, options, [](const Outcome&, const Describe&) { return std::vector<Finding>(); });
  CHECK(verdict.executions == 0);
  CHECK(verdict.operations < 2000);
  CHECK_FALSE(verdict.exhaustive);
  CHECK(verdict.reasons == std::vector<std::string>{"interrupted"});
}

TEST_CASE("explore: the bound on answers no to polls in a loop is an assumption of the verdict", "[mc]") {
  const char* text = "0: iprobe 1 0 ; iprobe 1 0 ; iprobe 1 0 ; recv 1 0\n1: send 0 0\n";
  const auto executions = [&](bool sites, std::uint32_t polls) {
    const std::unique_ptr<Program> program = make_litmus(text, sites);
    ExploreOptions options;
    options.semantics.polls = polls;
    return explore(*program, options, [](const Outcome&, const Describe&) { return std::vector<Finding>(); });
  };
  CHECK(executions(false, 1).executions == 4);
  CHECK(executions(false, 1).assumptions.empty());
  CHECK(executions(true, 1).executions == 2);
  CHECK(executions(true, 1).assumptions.size() == 1);
  CHECK(executions(true, 2).executions == 3);
  CHECK(executions(true, 3).executions == 4);
  CHECK(executions(true, 3).assumptions.empty());
}

TEST_CASE("explore: a bounded loop of polls for a message that never comes continues", "[mc]") {
  const std::unique_ptr<Program> program = make_litmus("0: iprobe 1 0 ; iprobe 1 0 ; iprobe 1 0\n1: \n", true);
  const Verdict verdict = explore(*program, {}, [](const Outcome&, const Describe&) { return std::vector<Finding>(); });
  CHECK(verdict.executions == 1);
  CHECK(verdict.blocked == 0);
}

TEST_CASE("explore: a random search finds only classes of brute force, and in time all of them", "[mc][fuzz]") {
  const auto walked = [](const std::string& text, std::uint64_t walks) {
    const std::unique_ptr<Program> program = make_litmus(text);
    ExploreOptions options;
    options.strategy.search = Search::random;
    options.strategy.walks = walks;
    options.bounds.max_history_bytes = 1;  // so that walks forget what earlier ones ran
    options.bounds.all_findings = true;
    return explore(*program, options, [](const Outcome&, const Describe&) { return std::vector<Finding>(); });
  };
  tests::LitmusShape shape;
  shape.probes = shape.waitany = true;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::string text = random_litmus(seed, shape);
    INFO(text);
    const Verdict all = explored(text, Reduction::none, infinite);
    if (all.executions > 20) continue;
    const Verdict some = walked(text, 3), many = walked(text, 2000);
    CHECK(some.executions <= 3);
    CHECK(many.executions == all.executions);
    CHECK(many.blocked == all.blocked);
    CHECK_FALSE(many.exhaustive);
    REQUIRE(many.reasons.size() == 1);
    CHECK(many.reasons[0].find("random search") != std::string::npos);
  }
}

TEST_CASE("explore: dropped histories are computed again, and the counts are the same", "[mc]") {
  tests::LitmusShape shape;
  shape.probes = shape.waitany = shape.polls = shape.barriers = true;
  std::uint64_t runs_with_room = 0, runs_without = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const std::string text = random_litmus(seed, shape);
    INFO(text);
    const auto with_bytes = [&](std::uint64_t bytes) {
      const std::unique_ptr<Program> program = make_litmus(text);
      ExploreOptions options;
      options.bounds.max_history_bytes = bytes;
      options.bounds.all_findings = true;
      return explore(*program, options, [](const Outcome&, const Describe&) { return std::vector<Finding>(); });
    };
    const Verdict with_room = with_bytes(std::uint64_t{1} << 30), without = with_bytes(1);
    CHECK(without.executions == with_room.executions);
    CHECK(without.blocked == with_room.blocked);
    CHECK(without.operations == with_room.operations);
    CHECK(without.duplicates == 0);
    runs_with_room += with_room.application_runs;
    runs_without += without.application_runs;
  }
  CHECK(runs_without > runs_with_room);
}

TEST_CASE("explore: larger deviation bounds visit more executions, and finally all", "[mc][fuzz]") {
  const auto bounded = [](const std::string& text, std::uint32_t turns) {
    const std::unique_ptr<Program> program = make_litmus(text);
    ExploreOptions options;
    options.strategy.search = Search::bounded;
    options.strategy.deviations = turns;
    options.bounds.all_findings = true;
    return explore(*program, options, [](const Outcome&, const Describe&) { return std::vector<Finding>(); });
  };
  tests::LitmusShape shape;
  shape.messages = 6;
  shape.probes = shape.waitany = shape.polls = shape.choices = GENERATE(false, true);
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::string text = random_litmus(seed, shape);
    INFO(text);
    const Verdict all = explored(text, Reduction::matching, infinite);
    std::uint64_t before = 0;
    for (std::uint32_t turns = 0;; ++turns) {
      const Verdict some = bounded(text, turns);
      CHECK(some.executions >= before);
      CHECK(some.executions <= all.executions);
      CHECK(some.duplicates == 0);
      if (turns == 0) CHECK(some.executions <= 1);
      before = some.executions;
      if (some.exhaustive) {
        CHECK(some.executions == all.executions);
        CHECK(some.blocked == all.blocked);
        CHECK(bounded(text, turns + 5).executions == all.executions);
        break;
      }
      REQUIRE(some.reasons.size() == 1);
      CHECK(some.reasons[0].find("at most " + std::to_string(turns) + " decision") != std::string::npos);
      REQUIRE(turns < 50);
    }
  }
}

TEST_CASE("explore: K deviations of a fan-in make the orders with K messages out of turn", "[mc]") {
  // Which of those that are left comes first is one turn unless it is the first of them: Stirling numbers.
  const std::uint64_t exactly[] = {1, 15, 85, 225, 274, 120};
  std::uint64_t sum = 0;
  for (std::uint32_t turns = 0; turns < 6; ++turns) {
    const std::unique_ptr<Program> program = make_litmus(fan_in(6));
    ExploreOptions options;
    options.strategy.search = Search::bounded;
    options.strategy.deviations = turns;
    const Verdict some =
        explore(*program, options, [](const Outcome&, const Describe&) { return std::vector<Finding>(); });
    sum += exactly[turns];
    CHECK(some.executions == sum);
    CHECK(some.exhaustive == (turns == 5));
  }
}

TEST_CASE("explore: progress is reported and increases from zero to one", "[mc]") {
  for (const std::uint32_t jobs : {1u, 2u}) {
    const std::unique_ptr<Program> program = make_litmus(fan_in(9));
    ExploreOptions options;
    options.strategy.jobs = jobs;
    std::vector<double> fractions;
    options.hooks.progress = [&](const Progress& progress) { fractions.push_back(progress.fraction); };
    options.bounds.max_seconds = 3;
    const Verdict verdict =
        explore(*program, options, [](const Outcome&, const Describe&) { return std::vector<Finding>(); });
    if (!verdict.exhaustive || fractions.empty()) continue;  // a slow or a fast machine
    CHECK(fractions.front() > 0);
    CHECK(fractions.back() <= 1);
    CHECK(std::is_sorted(fractions.begin(), fractions.end()));
  }
}

TEST_CASE("explore: a Program that was used before is explored from its start", "[mc]") {
  const std::unique_ptr<Program> program = make_litmus(fan_in(3));
  for (const Reduction reduction : {Reduction::matching, Reduction::none, Reduction::odpor, Reduction::matching})
    CHECK(tests::explored(*program, reduction).executions == 6);
  program->restart({1});
  program->next({1});
  program->resume({1}, {});
  CHECK(tests::explored(*program, Reduction::matching).executions == 6);
}

}  // namespace explore_test
