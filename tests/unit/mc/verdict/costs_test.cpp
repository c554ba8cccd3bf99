// SPDX-License-Identifier: MIT
//
// What executions cost: extremes, histogram, and that no order of exploration changes them.
#include <catch2/catch.hpp>

#include "mc/explore.hpp"
#include "mc/records/bytes.hpp"
#include "mc/verdict/price_list.hpp"
#include "tests/support/litmus.hpp"
#include "tests/support/random_litmus.hpp"
#include "tests/support/verdicts.hpp"

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::verdict;
using tests::all_by;
using tests::fan_in;
using tests::judge_ends;
using tests::make_litmus;

namespace {

// A cost that distinguishes schedules; one in seven has none.
Price price_of(const Schedule& schedule) {
  std::uint64_t sum = 0;
  for (const auto& [receive, send] : schedule.matches)
    sum += (receive.second.value + 1) * (send.source.value * 31 + send.request.value * 7);
  if (sum % 7 == 3) return {};
  return {static_cast<double>(sum % 1000) / 8, std::nullopt};
}

std::string text_of(const std::optional<Costs>& costs) {
  if (!costs) return "none";
  std::string text = std::to_string(costs->executions) + " and " + std::to_string(costs->without) + " without, " +
                     std::to_string(costs->least.cost) + " to " + std::to_string(costs->most.cost) + ":";
  for (const std::uint64_t count : costs->histogram) text += " " + std::to_string(count);
  return text;
}

Verdict priced(const std::string& text, ExploreOptions options) {
  options.hooks.price = price_of;
  return explore(*make_litmus(text), options, judge_ends);
}

// One of many schedules.
Schedule numbered(std::uint32_t number) { return {{{{{0}, {number}}, {{1}, {0}}}}, {}, {}}; }

}  // namespace

TEST_CASE("costs: they have extremes and a histogram of ten intervals", "[mc]") {
  PriceList list;
  std::uint32_t seen = 0;
  CHECK_FALSE(list.costs());
  for (const double cost : {5.0, 0.0, 10.0, 9.99, 10.0, 4.9}) list.add({cost, numbered(seen++)});
  list.add({std::nullopt, {}});
  for (int i = 0; i < 2; ++i) list.add({std::nullopt, {}, true});
  const Costs costs = list.costs().value();
  CHECK(costs.least.schedule == numbered(1));
  CHECK(costs.most.schedule == numbered(2));
  CHECK(costs.executions == 6);
  CHECK(costs.without == 1);
  CHECK(costs.failed == 2);
  CHECK(costs.histogram == std::vector<std::uint64_t>{1, 0, 0, 0, 1, 1, 0, 0, 0, 3});
}

TEST_CASE("costs: equal costs have one interval, also after saving", "[mc]") {
  PriceList list;
  for (std::uint32_t i = 0; i < 3; ++i) list.add({2.5, numbered(i)});
  list.add({std::nullopt, {}, true});
  records::Writer to;
  list.save(to);
  PriceList again;
  records::Reader from(to.bytes());
  again.load(from);
  CHECK(from.at_end());
  for (const PriceList& one : {list, again}) {
    CHECK(one.costs()->histogram == std::vector<std::uint64_t>{3});
    CHECK(one.costs()->least.cost == 2.5);
    CHECK(one.costs()->failed == 1);
    CHECK(one.costs()->without == 0);
    CHECK(one.costs()->most.schedule == numbered(0));
  }
}

TEST_CASE("costs: the reason for a missing cost survives the transfer between processes", "[mc]") {
  using CostTag = rehearse::mc::verdict::Tag;
  for (const CostTag& tag :
       {CostTag{1.5, numbered(7)}, CostTag{std::nullopt, {}, true}, CostTag{std::nullopt, {}, false}}) {
    records::Writer to;
    put(to, tag);
    records::Reader from(to.bytes());
    CostTag again;
    get(from, again);
    CHECK(from.at_end());
    CHECK(again.cost == tag.cost);
    CHECK(again.failed == tag.failed);
    CHECK(again.schedule == tag.schedule);
  }
}

TEST_CASE("costs: they are those of brute force, with any number of processes", "[mc][parallel][fuzz]") {
  tests::LitmusShape shape;
  shape.messages = 5;
  shape.waitany = shape.probes = GENERATE(false, true);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const std::string text = random_litmus(seed, shape);
    INFO(text);
    ExploreOptions brute = all_by(1);
    brute.strategy.reduction = Reduction::none;
    const Verdict judge = priced(text, brute), one = priced(text, all_by(1));
    CHECK(text_of(one.costs) == text_of(judge.costs));
    CHECK((one.costs ? one.costs->executions + one.costs->without : 0) == one.executions - one.blocked);
    for (const std::uint32_t jobs : {2u, 3u}) {
      const Verdict several = priced(text, all_by(jobs));
      CHECK(text_of(several.costs) == text_of(one.costs));
      if (!one.costs || one.costs->executions == 0) continue;
      CHECK(several.costs->least.schedule == one.costs->least.schedule);
      CHECK(several.costs->most.schedule == one.costs->most.schedule);
    }
  }
}

TEST_CASE("costs: the schedule of an extreme has that cost", "[mc][parallel]") {
  const Verdict verdict = priced(fan_in(6), all_by(GENERATE(1, 3)));
  REQUIRE(verdict.costs);
  for (const Extreme& extreme : {verdict.costs->least, verdict.costs->most})
    CHECK(price_of(extreme.schedule).cost == extreme.cost);
}

TEST_CASE("costs: an exceeded bound is one finding, at the first execution", "[mc]") {
  ExploreOptions options = all_by(GENERATE(1, 2));
  options.hooks.price = [](const Schedule& schedule) {
    Price price = price_of(schedule);
    if (price.cost && *price.cost > 100) {
      price.finding.emplace();
      price.finding->id = "too.much";
      price.finding->message = "costs too much";
    }
    return price;
  };
  const Verdict verdict = explore(*make_litmus(fan_in(6)), options, judge_ends);
  REQUIRE(verdict.findings.size() == 1);
  CHECK(verdict.findings[0].id == "too.much");
  CHECK(price_of(verdict.findings[0].witness.schedule).cost.value() > 100);
}
