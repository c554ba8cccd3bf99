// SPDX-License-Identifier: MIT
//
// Fingerprints distinguish operations by everything that other actors could notice, and by nothing else.
#include "mc/history/fingerprint.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "mc/history/forgotten.hpp"
#include "mc/history/words.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::history;

namespace {

Hash128 print_of(const Operation& operation) { return fingerprint(operation, hash_of_data(operation), {}); }

std::span<const std::byte> bytes_in(const std::string& text) { return std::as_bytes(std::span(text)); }

// Whether no two of these have one fingerprint.
bool are_all_told_apart(const std::vector<Operation>& operations) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> prints;
  for (const Operation& operation : operations) prints.insert({print_of(operation).low, print_of(operation).high});
  return prints.size() == operations.size();
}

template <typename Change>
Operation send_with(Change change) {
  Send send;
  change(send);
  return send;
}

template <typename Change>
Operation collective_with(Change change) {
  Collective collective;
  collective.name = "barrier";
  change(collective);
  return collective;
}

template <typename Change>
Operation post_with(Change change) {
  Post post;
  change(post);
  return post;
}

const std::string some_data = "data", other_data = "date";
const std::vector<RequestId> first_request{{0}}, second_request{{1}}, both_requests{{0}, {1}};

}  // namespace

TEST_CASE("fingerprint: sends are distinguished by destination, mode and data", "[mc][fingerprint]") {
  CHECK(are_all_told_apart({send_with([](Send&) {}), send_with([](Send& s) { s.context = {1}; }),
                            send_with([](Send& s) { s.destination = {1}; }), send_with([](Send& s) { s.tag = 1; }),
                            send_with([](Send& s) { s.mode = SendMode::synchronous; }),
                            send_with([](Send& s) { s.blocking = true; }), send_with([](Send& s) { s.signature = 1; }),
                            send_with([](Send& s) { s.data = bytes_in(some_data); }),
                            send_with([](Send& s) { s.data = bytes_in(other_data); })}));
}

TEST_CASE("fingerprint: the place of a send and its request number do not count", "[mc][fingerprint]") {
  const Hash128 plain = print_of(send_with([](Send&) {}));
  CHECK(print_of(send_with([](Send& s) { s.origin = {"call", 77}; })) == plain);
  CHECK(print_of(send_with([](Send& s) { s.request = {3}; })) == plain);
}

TEST_CASE("fingerprint: receives are distinguished by pattern, and a wildcard differs from every name",
          "[mc][fingerprint]") {
  CHECK(are_all_told_apart(
      {post_with([](Post&) {}), post_with([](Post& p) { p.pattern.source = ActorId{0}; }),
       post_with([](Post& p) { p.pattern.tag = 0; }), post_with([](Post& p) { p.pattern.tag = -1; }),
       post_with([](Post& p) { p.pattern.source = ActorId{~0u}; }), post_with([](Post& p) { p.pattern.context = {1}; }),
       post_with([](Post& p) { p.capacity_bytes = 1; }), post_with([](Post& p) { p.blocking = true; }),
       post_with([](Post& p) { p.taken = 0; }), post_with([](Post& p) { p.taken = 1; })}));
}

TEST_CASE("fingerprint: collectives are distinguished by arguments and contribution", "[mc][fingerprint]") {
  CHECK(are_all_told_apart(
      {collective_with([](Collective&) {}), collective_with([](Collective& c) { c.name = "scan"; }),
       collective_with([](Collective& c) { c.root = 1; }), collective_with([](Collective& c) { c.signature = 1; }),
       collective_with([](Collective& c) { c.flow = Flow::prefix; }),
       collective_with([](Collective& c) { c.blocking = false; }),
       collective_with([](Collective& c) { c.context = {1}; }),
       collective_with([](Collective& c) { c.groups.first = 1; }),
       collective_with([](Collective& c) { c.contribution = bytes_in(some_data); }),
       collective_with([](Collective& c) { c.remark = bytes_in(some_data); })}));
}

TEST_CASE("fingerprint: other operations are distinguished by their arguments", "[mc][fingerprint]") {
  CHECK(are_all_told_apart({Observe{first_request},
                            Observe{second_request},
                            Observe{both_requests},
                            Observe{first_request, Quantifier::any},
                            Observe{first_request, Quantifier::all, false},
                            Observe{first_request, Quantifier::all, false, true},
                            Probe{},
                            Probe{{}, false},
                            Probe{{}, true, true},
                            Choose{1, "a"},
                            Choose{2, "a"},
                            Choose{1, "b"},
                            End{0},
                            End{1},
                            Fail{FailureKind::crash, "a", ""},
                            Fail{FailureKind::abort, "a", ""},
                            Fail{FailureKind::crash, "b", ""},
                            Sleep{Duration{1}},
                            Sleep{Duration{2}},
                            Release{RequestId{0}},
                            Release{RequestId{1}},
                            Clock{}}));
}

TEST_CASE("fingerprint: local operations before an operation count", "[mc][fingerprint]") {
  const Operation end = End{};
  const Hash128 none = fingerprint(end, {}, {}), one = fingerprint(end, {}, fingerprint(Clock{}, {}, {}));
  CHECK_FALSE(none == one);
  CHECK_FALSE(one == fingerprint(end, {}, fingerprint(Sleep{}, {}, {})));
}

TEST_CASE("fingerprint: only sends and collectives have data", "[mc][fingerprint]") {
  CHECK(hash_of_data(End{}) == Hash128{});
  CHECK(hash_of_data(send_with([](Send& s) { s.data = bytes_in(some_data); })) ==
        hash_of_data(collective_with([](Collective& c) { c.contribution = bytes_in(some_data); })));
}

TEST_CASE("effects: output is equal for any sizes of its pieces, but not for other streams", "[mc][fingerprint]") {
  const auto output = [](std::initializer_list<Log> logs) {
    ObservableEffects effects;
    for (const Log& log : logs) effects.add(log);
    return effects.output;
  };
  CHECK(output({{1, "ab"}, {1, ""}, {1, "c"}}) == output({{1, "abc"}}));
  CHECK_FALSE(output({{1, "abc"}}) == output({{2, "abc"}}));
  CHECK_FALSE(output({{1, "abc"}}) == output({{1, "acb"}}));
  CHECK_FALSE(output({{1, "abc"}}) == output({{1, "ab"}}));
}

TEST_CASE("effects: results and sends are distinguished by content and order", "[mc][fingerprint]") {
  const auto results = [](std::initializer_list<std::pair<const char*, const char*>> all) {
    ObservableEffects effects;
    for (const auto& [name, bytes] : all) effects.add(Published{Published::Kind::result, name, 0, bytes});
    return effects.results;
  };
  CHECK(results({{"x", "1"}, {"y", "2"}}) == results({{"x", "1"}, {"y", "2"}}));
  CHECK_FALSE(results({{"x", "1"}, {"y", "2"}}) == results({{"y", "2"}, {"x", "1"}}));
  CHECK_FALSE(results({{"x", "1"}}) == results({{"x", "2"}}));
  CHECK_FALSE(results({{"x1", ""}}) == results({{"x", "1"}}));
  ObservableEffects sends, other;
  Send send;
  sends.add(send, {});
  send.tag = 1;
  other.add(send, {});
  CHECK_FALSE(sends.sends == other.sends);
  CHECK(sends.output == 0);
}

TEST_CASE("fingerprint: operations that concern no other actor are local", "[mc][fingerprint]") {
  const std::vector<Operation> local = {Compute{}, Sleep{}, Clock{}, Log{}, Report{}, Release{}};
  const std::vector<Operation> seen = {Send{}, Post{}, Observe{}, Probe{}, Choose{}, Collective{}, Fail{}, End{}};
  for (const Operation& operation : local) CHECK(is_local(operation));
  for (const Operation& operation : seen) CHECK_FALSE(is_local(operation));
  CHECK(is_local(collective_with([](Collective& c) { c.flow = Flow::nobody; })));
}

TEST_CASE("words: equal sequences of any length have equal hashes", "[mc][fingerprint]") {
  const auto hash = [](std::uint64_t count, std::uint64_t change) {
    Words words;
    for (std::uint64_t i = 0; i < count; ++i) words.add(i == change ? i + 1 : i);
    return words.hash();
  };
  for (const std::uint64_t count : {1u, 23u, 24u, 25u, 60u}) {
    CHECK(hash(count, count) == hash(count, count));
    for (std::uint64_t change = 0; change < count; change += 5) CHECK_FALSE(hash(count, change) == hash(count, count));
    CHECK_FALSE(hash(count, count) == hash(count + 1, count + 1));
  }
}

TEST_CASE("forgotten: memory is missed when many dropped nodes are made again", "[mc][fingerprint]") {
  const auto is_missed = [](std::uint64_t again, std::uint64_t fresh) {
    Forgotten forgotten;
    const auto name = [](std::uint64_t i) { return i * 16 | i << 40; };  // those are looked at
    for (std::uint64_t i = 1; i <= again; ++i) forgotten.add(name(i));
    for (std::uint64_t i = 1; i <= again; ++i) forgotten.note_made(name(i));
    for (std::uint64_t i = again + 1; i <= again + fresh; ++i) forgotten.note_made(name(i));
    const bool was = forgotten.is_missed();
    forgotten.reset();
    CHECK_FALSE(forgotten.is_missed());
    return was;
  };
  CHECK(is_missed(10, 0));
  CHECK(is_missed(10, 100));
  CHECK_FALSE(is_missed(10, 200));
  CHECK_FALSE(is_missed(0, 50));
}
