// SPDX-License-Identifier: MIT
//
// Actors that do something else when they are given the same answers again: findings are kept, and nothing is said
// to be verified.
#include <algorithm>
#include <catch2/catch.hpp>
#include <span>

#include "mc/explore.hpp"
#include "simcore/actor.hpp"
#include "simcore/fiber_program.hpp"
#include "tests/support/verdicts.hpp"

using namespace rehearse;
using namespace rehearse::mc;

namespace {

void send(std::uint32_t request, std::uint32_t to, const int& data, Tag tag = 0) {
  Send send;
  send.request = {request};
  send.destination = {to};
  send.tag = tag;
  send.blocking = true;
  send.data = std::as_bytes(std::span(&data, 1));
  ask(send);
}

void receive(std::uint32_t request) {
  Post post;
  post.request = {request};
  post.capacity_bytes = 64;
  post.blocking = true;
  ask(post);
}

bool tells_of_straying(const Verdict& verdict) {
  return std::ranges::any_of(verdict.reasons, [](const std::string& reason) {
    return reason.starts_with("actor 0 is not deterministic: with the same answers it asks for a message");
  });
}

}  // namespace

TEST_CASE("history: other data in a replay do not end the exploration", "[mc]") {
  int secret = 0;
  FiberProgram program({[&] {
                          for (std::uint32_t i = 0; i < 3; ++i) {
                            receive(2 * i);
                            const int data = ++secret;
                            send(2 * i + 1, 1, data);
                          }
                        },
                        [] {
                          send(0, 0, 7);
                          for (std::uint32_t i = 1; i < 4; ++i) receive(i);
                        },
                        [] { send(0, 0, 7); }, [] { send(0, 0, 7); }});
  const Verdict verdict = tests::explored(program, Reduction::matching);
  CHECK(verdict.executions == 6);
  CHECK(verdict.findings.empty());
  CHECK_FALSE(verdict.exhaustive);
  REQUIRE(verdict.reasons.size() == 1);
  CHECK(tells_of_straying(verdict));
  CHECK(verdict.reasons[0].find("with other data than before") != std::string::npos);
}

TEST_CASE("history: a fault is reported even if the actor cannot be brought back to its place", "[mc]") {
  int secret = 0;
  FiberProgram program({[&] {
                          send(0, 1, 7, secret++ == 0 ? 0 : 5);
                          receive(1);
                        },
                        [] {
                          send(0, 0, 7);
                          receive(1);
                        }});
  ExploreOptions options;
  options.semantics.policies = {Policy{0, false}};
  const Verdict verdict = explore(program, options, tests::judge_ends);
  CHECK_FALSE(verdict.exhaustive);
  CHECK(tells_of_straying(verdict));
  REQUIRE(verdict.findings.size() == 2);
  CHECK(verdict.findings[0].id == "deadlock");
}
