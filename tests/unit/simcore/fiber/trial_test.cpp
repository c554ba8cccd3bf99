// SPDX-License-Identifier: MIT
//
// What a function does in a copy of the process leaves no trace but its result.
#include "simcore/trial.hpp"

#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <functional>

#include "simcore/actor.hpp"
#include "simcore/fiber_program.hpp"

using namespace rehearse;

namespace {

// Runs it on an actor; whether that came to its end.
bool on_actor(const std::function<void()>& body) {
  FiberProgram program({body});
  return std::holds_alternative<End>(program.next(ActorId{0}));
}

}  // namespace

TEST_CASE("trial: a trial returns its result and has no other effect", "[simcore][fiber]") {
  CHECK(on_actor([] {
    int calls = 0;
    std::array<std::byte, 2> result{};
    CHECK(run_in_copy(result, [&](std::span<std::byte> out) {
      ++calls;
      out[1] = std::byte{7};
    }));
    CHECK(calls == 0);
    CHECK(result[1] == std::byte{7});
  }));
}

TEST_CASE("trial: a function that makes an operation or is killed has no result", "[simcore][fiber]") {
  CHECK(on_actor([] {
    std::array<std::byte, 1> result{};
    CHECK_FALSE(run_in_copy(result, [](std::span<std::byte> out) {
      out[0] = std::byte{1};
      ask(Log{1, "never seen"});
    }));
    CHECK_FALSE(run_in_copy(result, [](std::span<std::byte> out) {
      out[0] = std::byte{1};
      std::signal(SIGALRM, SIG_DFL);
      kill(getpid(), SIGALRM);
    }));
    CHECK(result[0] == std::byte{0});
  }));
}
