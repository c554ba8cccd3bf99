// SPDX-License-Identifier: MIT
//
// Collectives in time: who gets what, when, and what happens when members disagree or never come.
#include <catch2/catch.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "simcore/engine.hpp"
#include "simcore/fiber_program.hpp"
#include "tests/support/actor_calls.hpp"

namespace engine_collective_test {

using namespace rehearse;
using namespace rehearse::testing;

namespace {

using Body = std::function<void(ActorCalls&, std::uint32_t)>;
using State = ActorOutcome::State;

RunResult run(std::uint32_t actors, const Body& body, EngineOptions options = {}) {
  const Platform platform = std::move(make_platform("cluster:" + std::to_string(actors)).value());
  std::vector<std::function<void()>> functions;
  for (std::uint32_t i = 0; i < actors; ++i)
    functions.push_back([body, i] {
      ActorCalls calls;
      body(calls, i);
    });
  FiberProgram program(std::move(functions));
  Engine engine(program, platform, std::move(make_cost_model({.network = "raw"}, platform).value()),
                std::move(options));
  auto result = engine.run();
  if (!result) FAIL(result.error().text);
  return std::move(result.value());
}

std::string letter(std::uint32_t i, std::size_t bytes) { return std::string(bytes, static_cast<char>('a' + i % 26)); }

}  // namespace

TEST_CASE("collective: every flow delivers its defined data, for any number of members and size", "[simcore][engine]") {
  const auto members = GENERATE(1u, 2u, 3u, 4u, 5u, 7u, 8u, 13u);
  const auto bytes = GENERATE(std::size_t{0}, std::size_t{10}, std::size_t{70000});
  const bool combining = GENERATE(false, true);
  EngineOptions options;
  options.eager_bytes = GENERATE(std::uint64_t{0}, std::uint64_t{65536});
  options.synchronising_collectives = GENERATE(false, true);
  std::uint32_t wrong = 0;
  const RunResult result = run(
      members,
      [&](ActorCalls& calls, std::uint32_t me) {
        calls.sleep((me * 7 % 5) * 1e-5);
        const auto expect = [&](const std::vector<std::string>& got, auto has) {
          for (std::uint32_t i = 0; i < members; ++i) wrong += got.at(i) != (has(i) ? letter(i, bytes) : "");
        };
        const std::uint32_t root = members / 2;
        expect(calls.collective("all", Flow::all_to_all, 0, letter(me, bytes), combining),
               [](std::uint32_t) { return true; });
        expect(calls.collective("from", Flow::root_to_all, root, me == root ? letter(me, bytes) : "", combining),
               [&](std::uint32_t i) { return i == root; });
        expect(calls.collective("to", Flow::all_to_root, root, letter(me, bytes), combining),
               [&](std::uint32_t) { return me == root; });
        expect(calls.collective("scan", Flow::prefix, 0, letter(me, bytes), combining),
               [&](std::uint32_t i) { return i <= me; });
        std::vector<std::string> segments;
        for (std::uint32_t i = 0; i < members; ++i) segments.push_back(letter(me + i, bytes / 4));
        const auto exchanged = calls.all_to_all(segments);
        for (std::uint32_t i = 0; i < members; ++i) wrong += exchanged.at(i) != letter(i + me, bytes / 4);
      },
      options);
  INFO(members << " members, " << bytes << " bytes, combining " << combining << " eager " << options.eager_bytes
               << " synchronising " << options.synchronising_collectives);
  for (const ActorOutcome& actor : result.outcome.actors)
    CHECK((actor.state == State::ended ? "" : actor.what + " " + actor.id) == "");
  CHECK(wrong == 0);
}

TEST_CASE("collective: between two groups every member gets the data of the other group, for any sizes",
          "[simcore][engine]") {
  const auto first = GENERATE(1u, 2u, 3u, 6u);
  const auto second = GENERATE(1u, 2u, 5u);
  const auto bytes = GENERATE(std::size_t{0}, std::size_t{10}, std::size_t{70000});
  EngineOptions options;
  options.eager_bytes = GENERATE(std::uint64_t{0}, std::uint64_t{65536});
  options.synchronising_collectives = GENERATE(false, true);
  const std::uint32_t members = first + second;
  std::uint32_t wrong = 0;
  const RunResult result = run(
      members,
      [&](ActorCalls& calls, std::uint32_t me) {
        calls.sleep((me * 7 % 5) * 1e-5);
        const bool is_first = me < first;
        const auto expect = [&](const std::vector<std::string>& got, auto has) {
          for (std::uint32_t i = 0; i < members; ++i)
            wrong += got.at(i) != (has(i) && (i < first) != is_first ? letter(i, bytes) : "");
        };
        for (const CollectiveKind kind : {CollectiveKind::by_flow, CollectiveKind::barrier, CollectiveKind::allgather,
                                          CollectiveKind::allreduce, CollectiveKind::reduce_scatter}) {
          Collective all;
          all.hints.kind = kind;
          all.combining = kind == CollectiveKind::allreduce || kind == CollectiveKind::reduce_scatter;
          expect(calls.between("all", all, first, letter(me, bytes)), [](std::uint32_t) { return true; });
        }
        for (const std::uint32_t root : {0u, first - 1, first, members - 1}) {
          Collective rooted;
          rooted.root = (root < first) == is_first && me != root ? another_root : root;
          rooted.flow = Flow::root_to_all;
          expect(calls.between("from", rooted, first, me == root ? letter(me, bytes) : ""),
                 [&](std::uint32_t i) { return i == root; });
          rooted.flow = Flow::all_to_root;
          const std::string given = rooted.root == root && me != root ? letter(me, bytes) : "";
          expect(calls.between("to", rooted, first, given), [&](std::uint32_t) { return me == root; });
          rooted.combining = true;
          expect(calls.between("combine", rooted, first, given), [&](std::uint32_t) { return me == root; });
        }
        std::string parts;
        std::vector<std::uint64_t> sizes;
        for (std::uint32_t i = 0; i < members; ++i) {
          sizes.push_back((i < first) == is_first ? 0 : bytes / 4);
          parts += letter(me + i, sizes.back());
        }
        Collective exchange;
        exchange.segment_bytes = sizes;
        const auto exchanged = calls.between("exchange", exchange, first, parts);
        for (std::uint32_t i = 0; i < members; ++i)
          wrong += exchanged.at(i) != ((i < first) == is_first ? "" : letter(i + me, bytes / 4));
      },
      options);
  INFO(first << " and " << second << " members, " << bytes << " bytes, eager " << options.eager_bytes
             << " synchronising " << options.synchronising_collectives);
  for (const ActorOutcome& actor : result.outcome.actors)
    CHECK((actor.state == State::ended ? "" : actor.what + " " + actor.id) == "");
  CHECK(wrong == 0);
}

TEST_CASE("collective: between two groups a member waits for the other group only, unless all must",
          "[simcore][engine]") {
  for (const bool synchronising : {false, true}) {
    EngineOptions options;
    options.synchronising_collectives = synchronising;
    std::vector<double> left(4), reported(4);
    run(
        4,
        [&](ActorCalls& calls, std::uint32_t me) {
          if (me == 1) calls.sleep(1);
          Collective what;
          what.flow = Flow::root_to_all;
          what.root = me < 2 && me != 0 ? another_root : 0;
          calls.between("broadcast", what, 2, me == 0 ? "x" : "");
          reported[me] = calls.now();
          calls.between("barrier", {}, 2, "");
          left[me] = calls.now();
        },
        options);
    for (const std::uint32_t me : {0u, 2u, 3u}) CHECK((reported[me] < 0.5) == !synchronising);
    CHECK(left[2] > 1);
    CHECK(left[3] > 1);
  }
}

TEST_CASE("collective: members of two groups that disagree never finish, and the difference is reported",
          "[simcore][engine]") {
  const auto mismatches = [](auto says) {
    const RunResult result =
        run(4, [&](ActorCalls& calls, std::uint32_t me) { calls.between("broadcast", says(me), 2, "x"); });
    std::string all;
    for (const PendingRequest& pending : result.outcome.pending) all += "," + pending.mismatch;
    return all;
  };
  const auto roots = [&](std::vector<std::uint32_t> each) {
    return mismatches([=](std::uint32_t me) {
      Collective what;
      what.flow = Flow::root_to_all;
      what.root = each[me];
      return what;
    });
  };
  CHECK(roots({0, another_root, 0, 0}) == "");
  CHECK(roots({another_root, 1, 0, 1}).find("root") != std::string::npos);
  CHECK(roots({another_root, another_root, another_root, another_root}).find("root") != std::string::npos);
  CHECK(roots({0, 1, 0, 0}).find("root") != std::string::npos);
  CHECK(roots({2, 2, 0, 0}).find("root") != std::string::npos);
  const auto types = [&](std::uint64_t first_gives, std::uint64_t first_takes, std::uint64_t second_gives,
                         std::uint64_t second_takes) {
    return mismatches([=](std::uint32_t me) {
      Collective what;
      what.groups.gives = me < 2 ? first_gives : second_gives;
      what.groups.takes = me < 2 ? first_takes : second_takes;
      return what;
    });
  };
  CHECK(types(5, 7, 7, 5) == "");
  CHECK(types(5, 0, 7, 5) == "");
  CHECK(types(5, 7, 5, 7).find("signature") != std::string::npos);
  CHECK(types(5, 7, 7, 6).find("signature") != std::string::npos);
}

TEST_CASE("collective: a barrier of n takes the rounds of dissemination", "[simcore][engine]") {
  for (const auto& [members, rounds] :
       std::vector<std::pair<std::uint32_t, int>>{{2, 1}, {3, 2}, {4, 2}, {8, 3}, {9, 4}}) {
    double after = 0;
    run(members, [&](ActorCalls& calls, std::uint32_t) {
      calls.barrier();
      after = calls.now();
    });
    CHECK(after == Approx(rounds * 11e-6 + 1e-8));
  }
}

TEST_CASE("collective: no member leaves a barrier before the last one arrives", "[simcore][engine]") {
  std::vector<double> left(5);
  run(5, [&](ActorCalls& calls, std::uint32_t me) {
    calls.sleep(me == 3 ? 1.0 : 0.1);
    calls.barrier();
    left[me] = calls.now();
  });
  for (const double date : left) CHECK(date > 1);
}

TEST_CASE("collective: a member waits only for data that it needs, unless all must wait", "[simcore][engine]") {
  for (const bool synchronising : {false, true}) {
    EngineOptions options;
    options.synchronising_collectives = synchronising;
    double root_left = 0, leaf_left = 0;
    run(
        2,
        [&](ActorCalls& calls, std::uint32_t me) {
          if (me == 1) calls.sleep(1);
          calls.collective("broadcast", Flow::root_to_all, 0, me == 0 ? "x" : "");
          (me == 0 ? root_left : leaf_left) = calls.now();
        },
        options);
    CHECK((root_left < 0.5) == !synchronising);
    CHECK(leaf_left >= 1);
  }
}

TEST_CASE("collective: instances of a context are matched by the order of calls", "[simcore][engine]") {
  std::string order;
  run(3, [&](ActorCalls& calls, std::uint32_t me) {
    for (int i = 0; i < 4; ++i) {
      const auto got = calls.collective("broadcast", Flow::root_to_all, 0, me == 0 ? std::to_string(i) : "");
      if (me == 2) order += got[0];
      if (me == 2) calls.sleep(1);
    }
  });
  CHECK(order == "0123");
}

TEST_CASE("collective: a member that never arrives is reported", "[simcore][engine]") {
  const RunResult result = run(3, [](ActorCalls& calls, std::uint32_t me) {
    if (me != 1) calls.barrier();
  });
  CHECK(result.outcome.actors[0].state == State::blocked);
  REQUIRE(result.outcome.pending.size() == 2);
  CHECK(result.outcome.pending[0].kind == PendingRequest::Kind::collective);
  CHECK(result.outcome.pending[0].name == "barrier");
  CHECK(result.outcome.pending[0].missing == std::vector<ActorId>{{1}});
  CHECK(result.outcome.actors[2].waits_for == std::vector<RequestId>{{0}});
}

TEST_CASE("collective: members that disagree never finish, and the difference is reported", "[simcore][engine]") {
  const RunResult result = run(3, [](ActorCalls& calls, std::uint32_t me) {
    calls.collective(me == 1 ? "gather" : "reduce", Flow::all_to_root, me == 2 ? 2 : 0, "x");
  });
  REQUIRE(result.outcome.pending.size() == 3);
  CHECK(result.outcome.pending[0].mismatch.empty());
  CHECK(result.outcome.pending[1].mismatch == "operation");
  CHECK(result.outcome.pending[1].name == "gather");
  CHECK(result.outcome.pending[2].mismatch == "root");
  CHECK(result.outcome.pending[2].mismatch_with.value == 0);
}

TEST_CASE("collective: a member that disagrees with a root that has left never finishes", "[simcore][engine]") {
  const RunResult result = run(2, [](ActorCalls& calls, std::uint32_t me) {
    if (me == 1) calls.collective("broadcast", Flow::root_to_all, 1, "x");
    if (me == 0) calls.sleep(1);
    if (me == 0) calls.barrier();
  });
  CHECK(result.outcome.actors[1].state == State::ended);
  REQUIRE(result.outcome.pending.size() == 1);
  CHECK(result.outcome.pending[0].name == "barrier");
  CHECK(result.outcome.pending[0].mismatch == "operation");
}

TEST_CASE("collective: several collectives can be in progress and be waited for together", "[simcore][engine]") {
  std::vector<std::string> texts;
  run(2, [&](ActorCalls&, std::uint32_t me) {
    const ActorId members[] = {{0}, {1}};
    const std::byte data[] = {std::byte('a' + me)};
    std::vector<RequestId> requests;
    for (std::uint32_t i = 0; i < 2; ++i) {
      Collective operation;
      operation.request = {i};
      operation.members = members;
      operation.name = "gather";
      operation.contribution = data;
      operation.blocking = false;
      ask(operation);
      requests.push_back(operation.request);
    }
    for (const Completion& completion : ask(Observe{requests}).completions) {
      std::string text;
      for (const auto& contribution : completion.contributions) text += static_cast<char>(contribution[0]);
      if (me == 0) texts.push_back(text);
    }
  });
  CHECK(texts == std::vector<std::string>{"ab", "ab"});
}

namespace {

// Who found how many contributions in what the others left, in the order in which members went on; ~0: no such thing.
std::vector<std::uint32_t> found_by_members(const std::function<void(Collective&, std::uint32_t)>& change) {
  std::vector<std::uint32_t> found;
  run(4, [&](ActorCalls&, std::uint32_t me) {
    const ActorId members[] = {{0}, {1}, {2}, {3}};
    const std::string data = letter(me, 8 + me);
    Collective operation;
    operation.members = members;
    operation.name = "reduce";
    operation.contribution = std::as_bytes(std::span(data)).first(8);
    operation.combining = true;
    change(operation, me);
    const Observation& answer = ask(operation);
    if (answer.shared == nullptr) {
      found.push_back(~0u);
      return;
    }
    CHECK(answer.shared->data.size() == 8);
    CHECK((answer.shared->what == 0) == (answer.shared->contributions == 0));
    found.push_back(answer.shared->contributions);
    answer.shared->what = 77;
    answer.shared->contributions = me + 1;
    answer.shared->data[0] = std::byte('a');
  });
  return found;
}

}  // namespace

TEST_CASE("collective: members that combine the same data can share the result", "[simcore][engine]") {
  const auto all = found_by_members([](Collective&, std::uint32_t) {});
  CHECK(std::ranges::count(all, 0u) == 1);  // only the first finds nothing
  CHECK(std::ranges::count(all, ~0u) == 0);
  const auto prefixes = found_by_members([](Collective& operation, std::uint32_t) { operation.flow = Flow::prefix; });
  CHECK(std::ranges::count(prefixes, 0u) == 1);
  CHECK(std::ranges::count(prefixes, ~0u) == 0);
}

TEST_CASE("collective: results that differ between members are not shared", "[simcore][engine]") {
  const std::vector<std::uint32_t> nothing(4, ~0u);
  CHECK(found_by_members([](Collective& operation, std::uint32_t) { operation.combining = false; }) == nothing);
  CHECK(found_by_members([](Collective& operation, std::uint32_t) { operation.flow = Flow::all_to_root; }) == nothing);
  CHECK(found_by_members([](Collective& operation, std::uint32_t me) {
          if (me == 2) operation.contribution = operation.contribution.first(7);
        }) == nothing);
  const std::vector<std::uint64_t> segments{2, 2, 2, 2};
  CHECK(found_by_members([&](Collective& operation, std::uint32_t) { operation.segment_bytes = segments; }) == nothing);
}

namespace {

constexpr std::uint32_t exchanging = 5;
constexpr std::uint32_t exchange_root = 1;
constexpr std::size_t exchanged_bytes = 20000;  // of a segment

// What member `from` gives to `to`.
std::string exchanged(std::uint32_t from, std::uint32_t to) { return letter(from * exchanging + to, exchanged_bytes); }

// One member of an exchange: what it gives, and where it wants what it is given.
struct Exchange {
  Exchange(Flow flow, std::uint32_t me) : received(exchanging * exchanged_bytes, '-') {
    const bool gives = flow != Flow::root_to_all || me == exchange_root;
    const bool gives_all = flow != Flow::all_to_root;
    for (std::uint32_t to = 0; gives && to < exchanging; ++to)
      if (gives_all || to == exchange_root) given += exchanged(me, to);
    if (gives_all && gives) segments.assign(exchanging, exchanged_bytes);
    for (std::uint32_t i = 0; i < exchanging; ++i)
      places.push_back(std::as_writable_bytes(std::span(received)).subspan(i * exchanged_bytes, exchanged_bytes));
    if (flow == Flow::root_to_all) places.resize(1);
    operation.members = members;
    operation.name = "exchange";
    operation.flow = flow;
    operation.root = exchange_root;
    operation.contribution = std::as_bytes(std::span(given));
    operation.segment_bytes = segments;
  }
  const ActorId members[exchanging] = {{0}, {1}, {2}, {3}, {4}};
  std::string given, received;
  std::vector<std::uint64_t> segments;
  std::vector<std::span<std::byte>> places;
  Collective operation;
};

// Members overwrite what they gave as soon as they go on; how many were given something wrong. Members for which
// `has_places` holds say where they want what they are given.
std::uint32_t wrong_after_exchange(Flow flow, std::uint64_t eager_bytes,
                                   const std::function<bool(std::uint32_t)>& has_places) {
  EngineOptions options;
  options.eager_bytes = eager_bytes;
  std::uint32_t wrong = 0;
  run(
      exchanging,
      [&](ActorCalls& calls, std::uint32_t me) {
        calls.sleep((me * 3 % 5) * 1e-4);
        Exchange mine(flow, me);
        if (has_places(me)) mine.operation.places = mine.places;
        const Observation& answer = ask(mine.operation);
        for (std::uint32_t from = 0; from < exchanging; ++from) {
          const bool is_given = flow == Flow::all_to_all || (flow == Flow::root_to_all ? from : me) == exchange_root;
          const auto part = is_given ? answer.contributions[from] : std::span<const std::byte>();
          const std::string right = is_given ? exchanged(from, me) : "";
          wrong += !std::ranges::equal(part, std::as_bytes(std::span(right)));
        }
        std::ranges::fill(mine.given, '!');
        calls.sleep(1);
      },
      options);
  return wrong;
}

}  // namespace

TEST_CASE("collective: a contribution is the data at the time of the call, even if the member changes it later",
          "[simcore][engine]") {
  const auto flow = GENERATE(Flow::all_to_all, Flow::root_to_all, Flow::all_to_root);
  const auto eager_bytes = GENERATE(std::uint64_t{0}, std::uint64_t{1} << 20);
  CHECK(wrong_after_exchange(flow, eager_bytes, [](std::uint32_t) { return true; }) == 0);
  CHECK(wrong_after_exchange(flow, eager_bytes, [](std::uint32_t) { return false; }) == 0);
  CHECK(wrong_after_exchange(flow, eager_bytes, [](std::uint32_t me) { return me % 2 == 1; }) == 0);
}

}  // namespace engine_collective_test
