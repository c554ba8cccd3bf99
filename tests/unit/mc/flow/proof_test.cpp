// SPDX-License-Identifier: MIT
//
// Proofs by flow equations: what they prove, what they must not prove, and that each rule is necessary.
#include "mc/flow/proof.hpp"

#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "mc/explore.hpp"
#include "tests/support/ends.hpp"
#include "tests/support/litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using tests::Ends;
using tests::ends_of;

namespace {

constexpr Policy infinite{}, zero{0, false}, synchronising{Policy::infinite, true};

flow::Proof prove(const std::string& litmus, flow::Waiting waiting = {}, const flow::Rules& rules = {}) {
  const std::unique_ptr<Program> program = tests::make_litmus(litmus);
  history::History history(*program, std::uint64_t{1} << 30);
  history::LocalGraph graph(*program, StateImages::AwaitedBytes::left_out);
  history.merge_in(graph);
  return flow::prove(history, graph, program->actor_count(), waiting, {}, rules);
}

// Why `check` has no proof under this policy; empty: it has one.
std::string why_not(const std::string& litmus, const Policy& policy = infinite) {
  const Ends ends = ends_of(litmus, Reduction::flow, policy);
  REQUIRE(ends.verdict.flow);
  if (ends.verdict.flow->why_not.empty()) CHECK(ends_of(litmus, Reduction::none, policy).texts.empty());
  return ends.verdict.flow->why_not;
}

bool is_wrongly_proved(std::uint64_t seed, const flow::Rules& rules, flow::Waiting waiting, const Policy& policy) {
  const std::string litmus = tests::random_flow_program(seed);
  try {
    if (!prove(litmus, waiting, rules).why_not.empty()) return false;
  } catch (const flow::ShortMessage&) {
    return false;
  }
  const Ends all = ends_of(litmus, Reduction::none, policy, 2000);
  return !all.texts.empty();
}

// The number of random programs with an error that are called verified without a rule.
int wrong_proofs(const flow::Rules& rules, std::uint64_t last, flow::Waiting waiting = {},
                 const Policy& policy = infinite) {
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= last; ++seed) wrong += is_wrongly_proved(seed, rules, waiting, policy);
  return wrong;
}

}  // namespace

TEST_CASE("flow: a fan-in whose receiver forgets the order needs about n^2 steps", "[mc][flow]") {
  for (const std::uint32_t senders : {1u, 2u, 8u, 20u}) {
    const flow::Proof proof = prove(tests::fan_in(senders));
    CHECK(proof.why_not.empty());
    CHECK(proof.steps == senders * senders + senders + 1);
  }
}

TEST_CASE("flow: a sum over n messages is proved with its 2^n states", "[mc][flow]") {
  CHECK(why_not("0: recv * 0 ; sum ; recv * 0 ; sum ; recv * 0 ; sum ; failif 6 ; set 0\n1: set 1 ; asend 0 0 ; set 0\n"
                "2: set 2 ; asend 0 0 ; set 0\n3: set 4 ; asend 0 0 ; set 0\n")
            .empty());
}

TEST_CASE("flow: what is wrong is not proved", "[mc][flow]") {
  const std::string cannot_exclude = "it cannot exclude ";
  CHECK(why_not("0: recv 1 0 ; send 1 0\n1: recv 0 0 ; send 0 0\n") == cannot_exclude + "a wait that never ends");
  CHECK(why_not("0: recv * 0\n1: send 0 0\n2: send 0 0\n") == cannot_exclude + "a message that is never received");
  CHECK(why_not("0: recv * 0 ; failsrc 2 ; recv * 0\n1: send 0 0\n2: send 0 0\n") ==
        cannot_exclude + "assertion.failed: a litmus assertion");
  CHECK(why_not("0: recv * 0 ; sum\n1: set 1 ; asend 0 0 ; set 0\n") == cannot_exclude + "the exit status 1");
  CHECK(why_not("0: recv * 0 ; recv 1 0\n1: send 0 0\n2: send 0 0\n") == cannot_exclude + "a wait that never ends");
}

TEST_CASE("flow: a wrong partial sum is never called verified", "[mc][flow]") {
  for (const std::uint32_t senders : {3u, 4u, 5u})
    for (std::uint32_t subset = 1; subset < 1u << senders; ++subset)
      CHECK_FALSE(prove(tests::fan_in_with_bad_sum(senders, subset)).why_not.empty());
  CHECK(prove(tests::fan_in_with_bad_sum(5, 1u << 5)).why_not.empty());  // no subset has this sum
}

TEST_CASE("flow: sends that may wait", "[mc][flow]") {
  const std::string head_to_head = "0: send 1 0 ; recv 1 0\n1: send 0 0 ; recv 0 0\n";
  CHECK(why_not(head_to_head).empty());
  CHECK_FALSE(why_not(head_to_head, zero).empty());
  const std::string one_first = "0: send 1 0 ; recv 1 0\n1: recv 0 0 ; send 0 0\n";
  CHECK(why_not(one_first, zero).empty());
  const std::string posted = "0: irecv 1 0 r ; send 1 0 ; wait r\n1: irecv 0 0 r ; send 0 0 ; wait r\n";
  CHECK(why_not(posted, zero).empty());
  CHECK_FALSE(why_not("0: ssend 1 0 ; recv 1 0\n1: ssend 0 0 ; recv 0 0\n").empty());
  CHECK(why_not("0: ssend 1 0 ; recv 1 0\n1: recv 0 0 ; ssend 0 0\n").empty());
  CHECK(why_not("0: bsend 1 0 ; recv 1 0\n1: bsend 0 0 ; recv 0 0\n", zero).empty());
  CHECK_FALSE(why_not("0: isend 1 0 s ; wait s ; recv 1 0\n1: isend 0 0 s ; wait s ; recv 0 0\n", zero).empty());
  CHECK(why_not("0: isend 1 0 s ; recv 1 0 ; wait s\n1: isend 0 0 s ; recv 0 0 ; wait s\n", zero).empty());
}

TEST_CASE("flow: waits for one or some of several requests", "[mc][flow]") {
  const std::string any = "0: irecv 1 0 a ; irecv 2 0 b ; waitany a b ; waitall a b\n1: send 0 0\n2: send 0 0\n";
  const std::string some = "0: irecv * 0 a ; irecv * 0 b ; waitsome a b ; waitall a b\n1: send 0 0\n2: send 0 0\n";
  for (const Policy& policy : {infinite, zero}) {
    CHECK(why_not(any, policy).empty());
    CHECK(why_not(some, policy).empty());
  }
  CHECK_FALSE(why_not("0: irecv 1 0 a ; irecv 2 0 b ; waitany a b ; waitall a b\n1: send 0 0\n2: \n").empty());
}

TEST_CASE("flow: collectives", "[mc][flow]") {
  CHECK(why_not("0: recv * 0 ; barrier ; recv * 0\n1: send 0 0 ; barrier\n2: send 0 0 ; barrier\n").empty());
  CHECK_FALSE(why_not("0: barrier ; recv * 0\n1: recv 0 1 ; barrier\n").empty());
  // The root of a broadcast does not wait, but may.
  const std::string ahead = "0: bcast 0 ; send 1 0\n1: recv 0 0 ; bcast 0\n";
  CHECK(why_not(ahead).empty());
  CHECK_FALSE(why_not(ahead, synchronising).empty());
  CHECK(why_not("0: bcast 0 ; send 1 0\n1: bcast 0 ; recv 0 0\n", synchronising).empty());
  CHECK(why_not("0: ibarrier r ; send 1 0 ; wait r\n1: recv 0 0 ; ibarrier r ; wait r\n").empty());
  CHECK(why_not("0: reduce 1 ; scan\n1: reduce 1 ; scan\n2: reduce 1 ; scan\n").empty());
}

TEST_CASE("flow: equations forget the order of steps", "[mc][flow]") {
  // Actor 2 sends after the barrier only, but its message may as well be the cause of the barrier.
  const std::string late = "0: recv * 0 ; barrier ; recv 2 0\n1: send 0 0 ; barrier\n2: barrier ; send 0 0\n";
  CHECK(ends_of(late, Reduction::none, infinite).texts.empty());
  CHECK(why_not(late) == "it cannot exclude a wait that never ends");
}

TEST_CASE("flow: what is not supported is explored by matching, by name", "[mc][flow]") {
  CHECK(why_not("0: irecv * 0 r ; test r ; wait r\n1: send 0 0\n") == "tests of requests");
  CHECK(why_not("0: probe * 0 ; recv * 0\n1: send 0 0\n") == "probes");
  CHECK(why_not("0: recv * 0\n1: rsend 0 0\n") == "sends in ready mode");
  CHECK(why_not("0: choose 2\n") == "actors that share memory, and cancelled sends");
  CHECK(why_not("0: bcast 0\n1: bcast 1\n") == "members that may disagree about a collective");
  CHECK(why_not("0: irecv * 0 r\n1: send 0 0\n") == "receives or collectives that are never observed");
  CHECK(why_not("0: xbarrier 1\n1: xbarrier 1\n") == "collectives between two groups");
  CHECK(why_not("0: ibarrier a ; irecv 1 0 b ; waitany a b ; waitall a b\n1: send 0 0 ; barrier\n") ==
        "a wait for one of several collectives");
}

TEST_CASE("flow: random programs with an error are never called verified", "[mc][flow]") {
  CHECK(wrong_proofs({}, 150) == 0);
  CHECK(wrong_proofs({}, 100, {.sends = true}, zero) == 0);
  CHECK(wrong_proofs({}, 100, {.synchronising = true}, synchronising) == 0);
}

TEST_CASE("flow: without one of the rules, programs with an error are called verified", "[mc][flow]") {
  const auto is_proved_without = [](const flow::Rules& rules, const std::string& litmus, flow::Waiting waiting = {}) {
    CHECK_FALSE(prove(litmus, waiting).why_not.empty());
    return prove(litmus, waiting, rules).why_not.empty();
  };
  CHECK(is_proved_without({.net = {.counts_sends = false}}, "0: recv 1 0\n1: send 0 0 ; send 0 0 ; send 0 0\n"));
  // The message of actor 1 with tag 1 may be the first one that actor 0 takes.
  CHECK(is_proved_without({.net = {.asks_all_tags = false}}, "0: recv * 1 ; failsrc 1 ; recv 1 0 ; recv * 1\n"
                                                             "1: send 0 0 ; send 0 1\n"
                                                             "2: send 0 1\n"));
  // While actor 0 waits for b, a may take the first message of actor 2, so that b gets the second one.
  CHECK(is_proved_without({.net = {.local = {.takes_overlapping = false}}},
                          "0: irecv 2 0 a ; irecv * * b ; wait b ; failsrc 2 ; wait a ; recv * *\n"
                          "1: send 0 5\n"
                          "2: send 0 0 ; send 0 0\n"));
  CHECK(is_proved_without({.equations = {.counts_start = false}}, "0: set 0\n1: send 0 0\n"));
  CHECK(is_proved_without({.equations = {.lets_sends_wait = false}}, "0: send 1 0 ; recv 1 0\n1: send 0 0 ; recv 0 0\n",
                          {.sends = true}));
  // Actor 2 sends when the first receive of actor 0 has been looked at.
  CHECK(is_proved_without({.net = {.looks_again = false}}, "0: recv * 0 ; failsrc 2 ; recv * 0\n"
                                                           "1: send 0 0\n"
                                                           "2: recv 3 1 ; send 0 0\n"
                                                           "3: send 2 1\n"));
}
