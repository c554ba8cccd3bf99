// SPDX-License-Identifier: MIT
//
// Loops of states of toy programs: which are found, under which fairness, and which programs come to no state again.
#include "mc/state_search.hpp"

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "simcore/published.hpp"
#include "simcore/state_image.hpp"

using namespace rehearse;
using namespace rehearse::mc;

namespace state_search_tests {

// Each actor repeats its operations forever, or ends behind them. A probe that finds a message ends its actor.
class Loops final : public Program, public StateImages {
 public:
  struct Script {
    std::vector<Operation> operations;
    bool repeats = true;
    bool counts = false;  // its rounds are part of its state
  };
  explicit Loops(std::vector<Script> scripts) : scripts_(std::move(scripts)), actors_(scripts_.size()) {}

  std::uint32_t actor_count() const override { return static_cast<std::uint32_t>(scripts_.size()); }
  const Operation& next(ActorId actor) override {
    const At& at = actors_[actor.value];
    const Script& script = scripts_[actor.value];
    return at.has_ended || at.place == script.operations.size() ? end_ : script.operations[at.place];
  }
  void resume(ActorId actor, const Observation& answer) override {
    At& at = actors_[actor.value];
    const Script& script = scripts_[actor.value];
    at.has_ended = std::holds_alternative<Probe>(next(actor)) && answer.flag;
    if (++at.place < script.operations.size() || !script.repeats) return;
    at.place = 0;
    ++at.rounds;
  }
  void restart(ActorId actor) override { actors_[actor.value] = {}; }
  std::unique_ptr<Snapshot> save(ActorId) override { return nullptr; }
  void restore(ActorId, const Snapshot&) override {}
  CallDescription describe(ActorId) override { return {}; }
  std::optional<WideHash> image(ActorId actor, AwaitedBytes) override {
    const At& at = actors_[actor.value];
    const std::uint64_t words[] = {at.place, at.has_ended, scripts_[actor.value].counts ? at.rounds : 0};
    return wide_hash(words, sizeof words);
  }

 private:
  struct At {
    std::uint64_t place = 0, rounds = 0;
    bool has_ended = false;
  };
  std::vector<Script> scripts_;
  std::vector<At> actors_;
  Operation end_ = End{};
};

Operation send(std::uint32_t to, Tag tag = 0) {
  Send operation;
  operation.destination = {to};
  operation.tag = tag;
  operation.blocking = true;
  return operation;
}

Operation receive(std::uint32_t from, Tag tag = 0) {
  Post operation;
  operation.pattern = {{}, ActorId{from}, tag};
  operation.blocking = true;
  return operation;
}

Operation poll(std::uint32_t from, Tag tag) { return Probe{{{}, ActorId{from}, tag}, false}; }

Operation publish(const std::string& text) { return Log{published_stream, text}; }

StateSearchResult search(std::vector<Loops::Script> scripts, StateSearchOptions options) {
  Loops program(std::move(scripts));
  auto result = search_states(program, options);
  REQUIRE(result);
  return std::move(result.value());
}

StateSearchOptions endless(Fairness fairness = Fairness::weak) {
  StateSearchOptions options;
  options.finds_endless = true;
  options.fairness = fairness;
  options.max_states = 300;
  return options;
}

// Actor 0 sends to itself until it has found the message of actor 1.
std::vector<Loops::Script> until_found() { return {{{poll(1, 7), send(0), receive(0)}}, {{send(0, 7)}, false}}; }

}  // namespace state_search_tests

using namespace state_search_tests;

TEST_CASE("a ping-pong comes to a state again") {
  const StateSearchResult result = search({{{send(1), receive(1)}}, {{receive(0), send(0)}}}, endless());
  REQUIRE(result.found.size() == 1);
  const FoundLasso& lasso = result.found.front();
  CHECK(!lasso.formula);
  CHECK(lasso.loop > 0);
  CHECK(lasso.steps.size() >= lasso.loop);
  CHECK(lasso.schedule.empty());  // nobody has a choice
  const std::size_t starts = std::ranges::count(lasso.steps, LassoStep::Kind::start, &LassoStep::kind) +
                             std::count_if(lasso.steps.end() - static_cast<std::ptrdiff_t>(lasso.loop),
                                           lasso.steps.end(),
                                           [](const LassoStep& step) { return step.kind == LassoStep::Kind::start; });
  CHECK(lasso.operations[0] + lasso.operations[1] == starts);  // of the steps, and of the loop once more
}

TEST_CASE("a counter comes to no state again") {
  const StateSearchResult result = search({{{send(1), receive(1)}, true, true}, {{receive(0), send(0)}}}, endless());
  CHECK(result.found.empty());
  REQUIRE(result.reasons.size() == 1);
  CHECK(result.reasons.front() == "--max-states 300 reached");
}

TEST_CASE("messages that pile up are new states") {
  const StateSearchResult result = search({{{send(1)}}, {{}, false}}, endless());
  CHECK(result.found.empty());
  CHECK(!result.reasons.empty());
}

TEST_CASE("a poll that is answered at last ends under weak fairness only") {
  CHECK(search(until_found(), endless()).found.empty());
  CHECK(search(until_found(), endless()).reasons.empty());
  CHECK(search(until_found(), endless(Fairness::none)).found.size() == 1);
}

TEST_CASE("a poll that nobody answers goes on forever") {
  const StateSearchResult result = search({{{poll(1, 7), send(0), receive(0)}}, {{}, false}}, endless());
  REQUIRE(result.found.size() == 1);
  CHECK(!result.found.front().schedule.answers.empty());
}

TEST_CASE("formulas see each published value") {
  const std::string one = text_of({Published::Kind::value, "x", 1}), none = text_of({Published::Kind::value, "x", 0});
  const std::vector<Loops::Script> scripts{{{publish(one), publish(none), send(0), receive(0)}}};
  const auto holds = [&](const std::string& text) {
    StateSearchOptions options;
    options.formulas.push_back({text, TemporalFormula::parse(text).value()});
    const StateSearchResult result = search(scripts, options);
    CHECK(result.reasons.empty());
    return result.found.empty();
  };
  CHECK(holds("G F x@0 == 1"));
  CHECK(holds("G (x@0 == 1 -> F x@0 == 0)"));
  CHECK(!holds("F G x@0 == 1"));
  CHECK(!holds("G x@0 == 0"));
}

TEST_CASE("what has no rule is named") {
  const StateSearchResult result = search({{{Choose{2, "a choice"}}}}, endless());
  CHECK(result.found.empty());
  CHECK(result.reasons == std::vector<std::string>{"choices of the program"});
}
