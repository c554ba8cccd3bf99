// SPDX-License-Identifier: MIT
//
// Merged states: how many there are, that they find what all interleavings find, and that each rule is necessary.
#include "mc/reduction/merged.hpp"

#include <catch2/catch.hpp>
#include <memory>
#include <set>
#include <string>

#include "mc/explore.hpp"
#include "simcore/state_image.hpp"
#include "tests/support/ends.hpp"
#include "tests/support/litmus.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::reduction;
using tests::Ends;
using tests::ends_of;

namespace {

// Actor 0 adds up what `senders` others send, which is 1, 2, 4, ...
std::string sum_of(std::uint32_t senders, const std::string& after_each = "") {
  std::string text = "0: ";
  for (std::uint32_t s = 0; s < senders; ++s) text += "recv * 0 ; sum ; " + after_each;
  text += "set 0\n";
  for (std::uint32_t s = 1; s <= senders; ++s)
    text += std::to_string(s) + ": set " + std::to_string(1u << (s - 1)) + " ; asend 0 0\n";
  return text;
}

// The ends that a search with these rules finds under unlimited buffering.
std::set<std::string> found_with(const std::string& litmus, Merged::Rules rules) {
  const std::unique_ptr<Program> program = tests::make_litmus(litmus);
  history::History history(*program, std::uint64_t{1} << 30);
  history::LocalGraph graph(*program, StateImages::AwaitedBytes::left_out);
  history.merge_in(graph);
  Merged search(history, graph, program->actor_count(), Policy{}, rules);
  std::set<std::string> texts;
  search.run(
      [&](const graph::Graph& path, const buffering::PolicyOutcome& outcome) {
        texts.insert(tests::text_of_end(path, outcome));
        return true;
      },
      [] { return true; });
  return texts;
}

// The number of random programs whose ends change if the search has these rules.
int programs_that_need(Merged::Rules without, std::uint64_t first, std::uint64_t last) {
  int wrong = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    const std::string litmus = tests::random_memory_program(seed);
    try {
      wrong += found_with(litmus, without) != found_with(litmus, {});
    } catch (const NotMergeable&) {
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("merged: a sum over n messages has 2^n states", "[mc][merged]") {
  for (const std::uint32_t senders : {1u, 2u, 5u, 8u, 10u}) {
    const Ends ends = ends_of(sum_of(senders), Reduction::merged, Policy{});
    REQUIRE(ends.verdict.merging);
    CHECK(ends.verdict.merging->unsupported.empty());
    CHECK(ends.verdict.merging->states == std::uint64_t{1} << senders);
    CHECK(ends.is_all);
  }
}

TEST_CASE("merged: a wrong partial sum is found, whichever it is", "[mc][merged]") {
  for (const std::uint32_t senders : {3u, 4u})
    for (std::uint32_t subset = 1; subset < 1u << senders; ++subset) {
      const std::string check = "failif " + std::to_string(subset) + " ; ";
      const Ends merged = ends_of(sum_of(senders, check), Reduction::merged, Policy{});
      CHECK(merged.texts == ends_of(sum_of(senders, check), Reduction::none, Policy{}).texts);
    }
}

TEST_CASE("merged: random programs end as with all interleavings, under each policy", "[mc][merged]") {
  int merged_programs = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const std::string litmus = tests::random_memory_program(seed);
    for (const Policy& policy : {Policy{}, Policy{0, false}, Policy{4, false}, Policy{Policy::infinite, true}}) {
      const Ends all = ends_of(litmus, Reduction::none, policy, 1000);
      if (!all.is_all) break;
      const Ends merged = ends_of(litmus, Reduction::merged, policy);
      REQUIRE(merged.verdict.merging);
      if (!merged.verdict.merging->unsupported.empty()) break;
      INFO(seed << "\n" << litmus);
      CHECK(merged.is_all);
      REQUIRE(merged.texts == all.texts);
      ++merged_programs;
    }
  }
  CHECK(merged_programs > 200);
}

// A message of two bytes leaves the value received before.
TEST_CASE("merged: what shorter messages leave of a buffer is state", "[mc][merged]") {
  constexpr std::uint32_t lengths[] = {2, 4, 8};
  std::set<std::set<std::string>> different;
  for (std::uint32_t choice = 0; choice < 27; ++choice) {
    std::string senders;
    for (std::uint32_t s = 1, rest = choice; s <= 3; ++s, rest /= 3)
      senders += std::to_string(s) + ": bytes " + std::to_string(lengths[rest % 3]) + " ; set " +
                 std::to_string(1u << (s - 1)) + " ; asend 0 0\n";
    for (const int bad : {3, 5, 7, 8, 10}) {
      const std::string litmus = "0: room 8 ; recv * 0 ; sum ; recv * 0 ; sum ; recv * 0 ; sum ; failif " +
                                 std::to_string(bad) + "\n" + senders;
      const Ends merged = ends_of(litmus, Reduction::merged, Policy{});
      INFO(litmus);
      CHECK(merged.verdict.merging->unsupported.empty());
      CHECK(merged.texts == ends_of(litmus, Reduction::none, Policy{}).texts);
      different.insert(merged.texts);
    }
  }
  CHECK(different.size() > 2);
}

TEST_CASE("merged: without one of the rules, some programs come out wrong", "[mc][merged]") {
  CHECK(programs_that_need({.repeats_rounds = false}, 1, 1500) > 0);
  CHECK(programs_that_need({.teams = {.asks_futures = false}}, 1, 300) > 0);
  CHECK(programs_that_need({.teams = {.counts_under_way = false}}, 1, 1500) > 0);
}

// Actor 0 has a choice and waits for the barrier. Behind it, its own message is another choice.
TEST_CASE("merged: a member of a team that waits for a collective can give itself another choice", "[mc][merged]") {
  const std::string litmus = "0: irecv * 0 r ; barrier ; send 0 0 ; wait r ; failsrc 0\n"
                             "1: send 0 0 ; send 2 1 ; barrier\n"
                             "2: recv * 1 ; recv * 1 ; barrier\n"
                             "3: send 2 1 ; barrier\n";
  const std::set<std::string> found = found_with(litmus, {});
  CHECK(ends_of(litmus, Reduction::merged, Policy{}).texts == ends_of(litmus, Reduction::none, Policy{}).texts);
  CHECK(found != found_with(litmus, {.teams = {.watches_members = false}}));
}

// Actor 3 can move, and sends to actor 2, which waits. Only then actor 2 gives actor 0 another choice.
TEST_CASE("merged: an actor that waits can give a team another choice after others have moved", "[mc][merged]") {
  const std::string litmus = "0: recv * 0 ; failsrc 2 ; recv * 0\n"
                             "1: send 0 0\n"
                             "2: recv 3 1 ; send 0 0\n"
                             "3: recv * 2 ; recv * 2 ; send 2 1\n"
                             "4: send 3 2\n"
                             "5: send 3 2\n";
  const std::set<std::string> found = found_with(litmus, {});
  CHECK(ends_of(litmus, Reduction::merged, Policy{}).texts == ends_of(litmus, Reduction::none, Policy{}).texts);
  CHECK(found != found_with(litmus, {.teams = {.follows_movers = false}}));
}

TEST_CASE("merged: what is not supported is explored by matching, by name", "[mc][merged]") {
  const auto feature = [](const std::string& litmus) {
    const Ends ends = ends_of(litmus, Reduction::merged, Policy{});
    REQUIRE(ends.verdict.merging);
    CHECK(ends.texts == ends_of(litmus, Reduction::matching, Policy{}).texts);
    CHECK(ends.is_all);
    return ends.verdict.merging->unsupported;
  };
  CHECK(feature("0: irecv * 0 r ; test r ; wait r\n1: send 0 0\n") == "tests of requests");
  CHECK(feature("0: probe * 0 ; recv * 0\n1: send 0 0\n") == "probes");
  CHECK(feature("0: recv * 0\n1: rsend 0 0\n") == "sends in ready mode");
  CHECK(feature("0: choose 2\n") == "actors that share memory, and cancelled sends");
  CHECK(feature("0: bcast 0 ; recv * 0\n1: bcast 1 ; send 0 0\n") ==
        "members that disagree about a collective in which not all need all");
  CHECK(feature("0: recv * 0\n1: send 0 0\n").empty());
}

TEST_CASE("merged: errors that were found stay found if merging turns out to be impossible", "[mc][merged]") {
  const Ends ends = ends_of("0: recv * 0 ; failsrc 2 ; recv * 0 ; iprobe * 1\n1: send 0 0\n2: send 0 0\n",
                            Reduction::merged, Policy{});
  CHECK(ends.verdict.merging->unsupported == "probes");
  CHECK(ends.texts == ends_of("0: recv * 0 ; failsrc 2 ; recv * 0 ; iprobe * 1\n1: send 0 0\n2: send 0 0\n",
                              Reduction::matching, Policy{})
                          .texts);
}
