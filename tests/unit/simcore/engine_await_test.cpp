// SPDX-License-Identifier: MIT
//
// The timed driver: actors with several threads, which compute as requests and wait for several things at once. All
// dates are closed forms.
#include <catch2/catch.hpp>
#include <functional>
#include <vector>

#include "simcore/actor.hpp"
#include "simcore/engine.hpp"
#include "simcore/fiber_program.hpp"
#include "tests/support/cost_runs.hpp"

namespace engine_await_test {

using namespace rehearse;
using namespace rehearse::testing;

namespace {

constexpr ContextId context{1};

Platform hosts(const std::string& cores) {
  return platform_of("<host id='a' speed='1Gf' core='" + cores + "'/><host id='b' speed='1Gf'/>" +
                     "<link id='l' bandwidth='1GBps' latency='1s'/>"
                     "<route src='a' dst='b'><link_ctn id='l'/></route>");
}

RunResult run(const std::string& cores, std::vector<std::function<void()>> bodies) {
  const Platform platform = hosts(cores);
  FiberProgram program(std::move(bodies));
  Engine engine(program, platform, costs_of(platform, "raw"), {});
  auto result = engine.run();
  REQUIRE(result);
  return std::move(result.value());
}

// The indices of the questions with the answer yes.
std::vector<std::uint32_t> indices(const Observation& answer) {
  std::vector<std::uint32_t> all;
  for (const Completion& one : answer.completions) all.push_back(one.index);
  return all;
}

void send_after(double seconds, Tag tag) {
  ask(Sleep{Duration::from_seconds(seconds)});
  Send send;
  send.request = {static_cast<std::uint32_t>(tag)};
  send.context = context;
  send.destination = ActorId{0};
  send.tag = tag;
  send.blocking = true;
  ask(send);
}

}  // namespace

TEST_CASE("await: computations of one actor share the cores of its host", "[simcore][engine]") {
  const auto both = [] {
    const RequestId works[] = {{1}, {2}};
    ask(Work{works[0], 1e9});
    ask(Work{works[1], 2e9});
    const Awaited first{.requests = std::span(works, 1)}, second{.requests = std::span(works + 1, 1)};
    const Awaited questions[] = {first, second};
    CHECK(indices(ask(Await{questions})) == std::vector<std::uint32_t>{0});
    CHECK(indices(ask(Await{std::span(questions + 1, 1)})) == std::vector<std::uint32_t>{0});
    CHECK(ask(Observe{works, Quantifier::all, false}).flag);
  };
  const RunResult two = run("2", {both});
  CHECK(is_close(two.end.seconds(), 2));
  CHECK(is_close(two.actors[0].compute_seconds, 2));
  CHECK(two.actors[0].communication_seconds == 0);
  CHECK(is_close(run("1", {both}).end.seconds(), 3));
}

TEST_CASE("await: the first of several things ends the sleep, at its date", "[simcore][engine]") {
  std::vector<std::uint32_t> at_once, first, second, third;
  double dates[3] = {};
  run("2", {[&] {
              const RequestId receive[] = {{1}};
              ask(Post{receive[0], {context, {}, Tag{7}}, 8});
              const Awaited questions[] = {{.requests = receive}, {.probed = Pattern{context, {}, Tag{5}}}};
              at_once = indices(ask(Await{questions, Duration{}}));
              const Observation& limit = ask(Await{questions, Duration::from_seconds(0.5)});
              dates[0] = limit.now.seconds();
              first = indices(limit);
              const Observation& message = ask(Await{questions});
              dates[1] = message.now.seconds();
              second = indices(message);
              const Observation& both = ask(Await{std::span(questions, 1), Duration::from_seconds(100)});
              dates[2] = both.now.seconds();
              third = indices(both);
              CHECK(ask(Observe{receive, Quantifier::all, false}).flag);
              ask(Post{{2}, {context, {}, Tag{5}}, 8, true});
            },
            [] {
              send_after(1, 5);
              send_after(1, 7);
            }});
  CHECK(at_once.empty());
  CHECK(first.empty());
  CHECK(is_close(dates[0], 0.5));
  CHECK(second == std::vector<std::uint32_t>{1});
  CHECK(is_close(dates[1], 2));
  CHECK(third == std::vector<std::uint32_t>{0});
  CHECK(is_close(dates[2], 3));
}

TEST_CASE("await: all of a question's requests, or any of them", "[simcore][engine]") {
  double any_date = 0, all_date = 0;
  run("2", {[&] {
        const RequestId works[] = {{1}, {2}};
        ask(Work{works[0], 1e9});
        ask(Work{works[1], 2e9});
        const Awaited any{.requests = works, .quantifier = Quantifier::any}, all{.requests = works};
        any_date = ask(Await{std::span(&any, 1)}).now.seconds();
        while (ask(Await{std::span(&all, 1)}).completions.empty()) {
        }
        all_date = ask(Await{{}, Duration{}}).now.seconds();
        ask(Observe{works, Quantifier::all, false});
      }});
  CHECK(is_close(any_date, 1));
  CHECK(is_close(all_date, 2));
}

TEST_CASE("await: a sleep that polls ends when anything else changes", "[simcore][engine]") {
  double date = 0;
  run("2", {[&] {
              const RequestId receive[] = {{1}};
              ask(Post{receive[0], {context, {}, Tag{5}}, 8});
              const Awaited other{.probed = Pattern{context, {}, Tag{9}}};
              const Observation& answer = ask(Await{std::span(&other, 1), {}, true});
              CHECK(answer.completions.empty());
              date = answer.now.seconds();
              CHECK(ask(Observe{receive, Quantifier::all, false}).flag);
            },
            [] { send_after(1, 5); }});
  CHECK(is_close(date, 2));
}

TEST_CASE("await: what never comes is a deadlock", "[simcore][engine]") {
  const RunResult result =
      run("1", {[] {
            const RequestId receive[] = {{1}};
            ask(Post{receive[0], {context, {}, Tag{7}}, 8});
            const Awaited questions[] = {{.requests = receive}, {.probed = Pattern{context, {}, Tag{5}}}};
            ask(Await{questions});
          }});
  const ActorOutcome& outcome = result.outcome.actors[0];
  CHECK(outcome.state == ActorOutcome::State::blocked);
  CHECK(outcome.waits_for == std::vector<RequestId>{{1}});
  CHECK(outcome.probes.size() == 1);
  CHECK(outcome.any_suffices);
  CHECK_FALSE(outcome.polling);
}

}  // namespace engine_await_test
