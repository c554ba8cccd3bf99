// SPDX-License-Identifier: MIT
//
// Dates of a timed run, and who runs at them: the parts ActorTable and Agenda by themselves.
#include "simcore/engine/agenda.hpp"

#include <catch2/catch.hpp>

#include "simcore/fiber_program.hpp"
#include "tests/support/plain_cost_model.hpp"

namespace rehearse::engine {
namespace {

Duration seconds(double value) { return Duration::from_seconds(value); }

// Three actors on three hosts.
struct Parts {
  explicit Parts(std::vector<HostId> placement = {}) { run.options.placement = std::move(placement); }

  Platform platform = std::move(make_platform("cluster:3").value());
  FiberProgram program{std::vector<std::function<void()>>(3, [] {})};
  RunState run{program, platform, {}};
  ActorTable actors;
  Agenda agenda{run, actors, std::make_unique<rehearse::testing::PlainCostModel>(platform)};
};

TEST_CASE("actor table: actors run in the order in which they became ready, each once", "[simcore]") {
  Parts p;
  REQUIRE(p.actors.place(p.run));
  CHECK_FALSE(p.actors.has_ready());
  for (const std::uint32_t id : {2u, 0u, 2u}) p.actors.make_ready({id});
  REQUIRE(p.actors.has_ready());
  CHECK(p.actors.take_ready() == ActorId{2});
  CHECK(p.actors.take_ready() == ActorId{0});
  CHECK_FALSE(p.actors.has_ready());
}

TEST_CASE("actor table: no actor can continue when all are blocked, finished or hang", "[simcore]") {
  Parts p;
  REQUIRE(p.actors.place(p.run));
  p.actors.wait(p.actors[ActorId{0}], Wait::request);
  p.actors.finish({1}, TimePoint{});
  CHECK_FALSE(p.actors.is_nobody_left(0));
  CHECK(p.actors.is_nobody_left(1));
  p.actors.wait(p.actors[ActorId{2}], Wait::pause);
  CHECK_FALSE(p.actors.is_nobody_left(0));
  p.actors.make_ready({0});
  CHECK_FALSE(p.actors.is_nobody_left(1));
}

TEST_CASE("actor table: a placement of another length is refused", "[simcore]") {
  Parts p({HostId{0}});
  CHECK_FALSE(p.actors.place(p.run));
  REQUIRE(p.run.error);
  CHECK(p.run.error->text == "the placement names 1 hosts for a program of 3");
}

TEST_CASE("agenda: timers come by date, then in the order in which they were set", "[simcore]") {
  Parts p;
  REQUIRE(p.actors.place(p.run));
  p.agenda.set_timer({1}, p.actors[ActorId{1}], seconds(2));
  p.agenda.set_timer({2}, p.actors[ActorId{2}], seconds(1));
  p.agenda.set_timer({0}, p.actors[ActorId{0}], seconds(1));
  REQUIRE(p.agenda.go_to(p.agenda.next()));
  CHECK(p.agenda.now().seconds() == 1);
  CHECK(p.agenda.take_due_timer()->subject == 2);
  CHECK(p.agenda.take_due_timer()->subject == 0);
  CHECK_FALSE(p.agenda.take_due_timer());
  REQUIRE(p.agenda.go_to(p.agenda.next()));
  CHECK(p.agenda.take_due_timer()->subject == 1);
  CHECK_FALSE(p.agenda.go_to(p.agenda.next()));
  CHECK_FALSE(p.run.error);
}

TEST_CASE("agenda: an actor's earlier timers are void", "[simcore]") {
  Parts p;
  REQUIRE(p.actors.place(p.run));
  p.agenda.set_timer({0}, p.actors[ActorId{0}], seconds(1));
  p.agenda.set_timer({0}, p.actors[ActorId{0}], seconds(3));
  REQUIRE(p.agenda.go_to(p.agenda.next()));
  CHECK(p.agenda.now().seconds() == 3);
}

TEST_CASE("agenda: an announcement is in flight until its end is noted", "[simcore]") {
  Parts p;
  REQUIRE(p.actors.place(p.run));
  CHECK_FALSE(p.agenda.is_under_way());
  p.agenda.set_message_timer(Timer::Kind::announcement, 7, seconds(1));
  CHECK(p.agenda.has_flights());
  REQUIRE(p.agenda.go_to(p.agenda.next()));
  CHECK(p.agenda.take_due_timer()->kind == Timer::Kind::announcement);
  p.agenda.end_flight();
  CHECK_FALSE(p.agenda.is_under_way());
}

TEST_CASE("agenda: the end of an activity makes its continuation due", "[simcore]") {
  Parts p;
  REQUIRE(p.actors.place(p.run));
  p.agenda.start_computation({2}, 1e9);
  CHECK(p.agenda.is_under_way());
  REQUIRE(p.agenda.go_to(p.agenda.next()));
  REQUIRE(p.agenda.due().size() == 1);
  CHECK(p.agenda.due()[0].kind == Continuation::Kind::computation);
  CHECK(p.agenda.due()[0].subject == 2);
}

}  // namespace
}  // namespace rehearse::engine
