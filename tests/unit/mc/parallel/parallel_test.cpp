// SPDX-License-Identifier: MIT
//
// A verdict does not depend on how many processes explored, nor on which of them did what, when, or died of it.
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <new>
#include <set>
#include <string>
#include <vector>

#include "mc/explore.hpp"
#include "tests/support/litmus.hpp"
#include "tests/support/random_litmus.hpp"
#include "tests/support/shared_flag.hpp"
#include "tests/support/verdicts.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using tests::all_by;
using tests::divided;
using tests::fan_in;
using tests::judge_ends;
using tests::make_litmus;
using tests::second_round;
using tests::text_of;

namespace {

Verdict explored(const std::string& text, const ExploreOptions& options, bool sites = false) {
  return explore(*make_litmus(text, sites), options, judge_ends);
}

void is_the_same_for_all_jobs(const std::string& text, void (*change)(ExploreOptions&) = nullptr, bool sites = false) {
  INFO(text);
  const auto verdict = [&](std::uint32_t jobs) {
    ExploreOptions options = divided(jobs);
    if (change != nullptr) change(options);
    return text_of(explored(text, options, sites));
  };
  const std::string one = verdict(1);
  for (const std::uint32_t jobs : {2u, 3u, 4u}) CHECK(verdict(jobs) == one);
}

// What several processes see.
struct Common {
  std::atomic<std::uint64_t> steps{0};
};

// A litmus program that ends the process in which it makes one of these steps, unless that is the first process.
class Deadly final : public Program {
 public:
  // `at`: steps of all processes together.
  Deadly(const std::string& text, std::set<std::uint64_t> at) : inner_(make_litmus(text)), at_(std::move(at)) {
    void* page = mmap(nullptr, sizeof(Common), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    common_ = new (page) Common();
  }
  ~Deadly() override { munmap(common_, sizeof(Common)); }

  std::uint32_t actor_count() const override { return inner_->actor_count(); }
  const Operation& next(ActorId actor) override { return inner_->next(actor); }
  void resume(ActorId actor, const Observation& observation) override {
    if (getpid() != first_ && at_.contains(common_->steps++)) kill(getpid(), SIGKILL);
    inner_->resume(actor, observation);
    if (getpid() != first_ && fatal_ && fatal_(inner_->next(actor))) kill(getpid(), SIGKILL);
  }
  void restart(ActorId actor) override { inner_->restart(actor); }
  std::unique_ptr<Snapshot> save(ActorId actor) override { return inner_->save(actor); }
  void restore(ActorId actor, const Snapshot& snapshot) override { inner_->restore(actor, snapshot); }
  CallDescription describe(ActorId actor) override { return inner_->describe(actor); }

  bool (*fatal_)(const Operation&) = nullptr;  // whoever asks for this dies

 private:
  std::unique_ptr<Program> inner_;
  std::set<std::uint64_t> at_;
  Common* common_;
  pid_t first_ = getpid();
};

bool has_children() { return waitpid(-1, nullptr, WNOHANG) >= 0; }

}  // namespace

TEST_CASE("parallel: a fan-in has the same counts with any number of processes", "[mc][parallel]") {
  is_the_same_for_all_jobs(fan_in(5));
  is_the_same_for_all_jobs(fan_in(6));
  CHECK(explored(fan_in(6), divided(3)).executions == 720);
  CHECK_FALSE(has_children());
}

TEST_CASE("parallel: findings and schedules do not depend on the number of processes", "[mc][parallel][fuzz]") {
  tests::LitmusShape shape;
  shape.messages = GENERATE(5, 7);
  shape.probes = shape.waitany = GENERATE(false, true);
  shape.polls = shape.barriers = GENERATE(false, true);
  shape.frees = shape.takes = shape.choices = true;
  for (std::uint64_t seed = 1; seed <= 25; ++seed)
    is_the_same_for_all_jobs(random_litmus(seed, shape),
                             [](ExploreOptions& options) { options.bounds.all_findings = true; });
  CHECK_FALSE(has_children());
}

TEST_CASE("parallel: an exploration stops after the first error where one process would have", "[mc][parallel][fuzz]") {
  tests::LitmusShape shape;
  shape.messages = 7;
  shape.waitany = shape.choices = true;
  for (std::uint64_t seed = 1; seed <= 60; ++seed)
    is_the_same_for_all_jobs(random_litmus(seed, shape),
                             [](ExploreOptions& options) { options.bounds.grace_executions = 2; });
  is_the_same_for_all_jobs(fan_in(6, second_round),
                           [](ExploreOptions& options) { options.bounds.grace_executions = 100; });
}

TEST_CASE("parallel: --max-executions counts the same executions and findings", "[mc][parallel]") {
  for (const auto change : {+[](ExploreOptions& options) { options.bounds.max_executions = 1; },
                            +[](ExploreOptions& options) { options.bounds.max_executions = 77; },
                            +[](ExploreOptions& options) { options.bounds.max_executions = 719; },
                            +[](ExploreOptions& options) { options.bounds.max_executions = 720; }})
    is_the_same_for_all_jobs(fan_in(6, second_round), change);
}

TEST_CASE("parallel: the bound on polls and omitted answers are reported alike", "[mc][parallel]") {
  const char* polls = "0: iprobe 1 0 ; iprobe 1 0 ; iprobe 1 0 ; recv * 0 ; recv * 0 ; recv * 0\n"
                      "1: send 0 0\n2: send 0 0\n3: send 0 0\n";
  is_the_same_for_all_jobs(polls, nullptr, true);
  CHECK(explored(polls, divided(3), true).assumptions.size() == 1);
}

TEST_CASE("parallel: reports of actors in any process are kept", "[mc][parallel]") {
  ExploreOptions options = divided(GENERATE(1, 3));
  const pid_t first = getpid();
  options.hooks.caveats = [first, &options]() -> Caveats {
    if (options.strategy.jobs > 1 && getpid() == first) return {};
    return {{"a feature"}, {"somebody keeps a promise"}};
  };
  const Verdict verdict = explored(fan_in(5), options);
  CHECK(verdict.executions == 120);
  CHECK(verdict.assumptions == std::vector<std::string>{"somebody keeps a promise"});
  CHECK(verdict.reasons == std::vector<std::string>{"a feature: not all of its outcomes are explored yet"});
}

TEST_CASE("parallel: little memory for histories does not change the counts", "[mc][parallel]") {
  is_the_same_for_all_jobs(fan_in(6), [](ExploreOptions& options) { options.bounds.max_history_bytes = 1; });
}

TEST_CASE("parallel: another worker takes over the work of a dead one", "[mc][parallel]") {
  const std::string text = fan_in(6, second_round);
  const ExploreOptions options = all_by(GENERATE(2, 3));
  const std::string one = text_of(explored(text, all_by(1)));
  for (const std::set<std::uint64_t>& at :
       {std::set<std::uint64_t>{0}, {1, 50}, {10, 300}, {100, 200, 900}, {40, 41, 42, 43}}) {
    Deadly program(text, at);
    CHECK(text_of(explore(program, options, judge_ends)) == one);
  }
  CHECK_FALSE(has_children());
}

TEST_CASE("parallel: the others continue if several machines are lost at once", "[mc][parallel]") {
  const std::string text = fan_in(6);
  ExploreOptions options = all_by(2);
  const std::string one = text_of(explored(text, all_by(1)));
  std::vector<int> ours;
  for (int machine = 0; machine < 3; ++machine) {
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    close(ends[1]);
    ours.push_back(ends[0]);
    options.strategy.helpers.push_back({ends[0], "lost" + std::to_string(machine)});
  }
  CHECK(text_of(explored(text, options)) == one);
  for (const int end : ours) close(end);
  CHECK_FALSE(has_children());
}

TEST_CASE("parallel: a part that kills every worker is left out, and the verdict names its place", "[mc][parallel]") {
  Deadly program(fan_in(5, "onsrc 3: choose 7"), {});
  program.fatal_ = [](const Operation& operation) { return std::holds_alternative<Choose>(operation); };
  const Verdict verdict = explore(program, all_by(2), judge_ends);
  CHECK_FALSE(verdict.exhaustive);
  REQUIRE_FALSE(verdict.reasons.empty());
  CHECK(verdict.reasons[0].find("signal 9") != std::string::npos);
  CHECK(verdict.reasons[0].find("0:r0<-1#0;0:r1<-2#0") != std::string::npos);
  CHECK(verdict.executions > 0);
  CHECK_FALSE(has_children());
}

TEST_CASE("parallel: an interruption returns the counts so far, and no process remains", "[mc][parallel]") {
  tests::SharedFlag flag;
  tests::SetsFlag program(make_litmus(fan_in(9)), 1000, flag);
  ExploreOptions options = divided(3);
  options.hooks.stop = flag.stop();
  const Verdict verdict = explore(program, options, judge_ends);
  CHECK_FALSE(verdict.exhaustive);
  CHECK(verdict.reasons == std::vector<std::string>{"interrupted"});
  CHECK(verdict.executions > 0);
  CHECK(verdict.executions < 362'880);
  CHECK(verdict.duplicates == 0);
  CHECK_FALSE(has_children());
}

TEST_CASE("parallel: the time limit is reported, and no process remains", "[mc][parallel]") {
  ExploreOptions options = divided(2);
  options.bounds.max_seconds = 0.05;
  const Verdict verdict = explored(fan_in(9), options);
  CHECK(verdict.reasons == std::vector<std::string>{"the time is up (--max-seconds)"});
  CHECK_FALSE(has_children());
}
