// SPDX-License-Identifier: MIT
//
// Which executions run, and the times of the others.
#include "simcore/sampler.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

using namespace rehearse;

namespace {

struct Tally {
  std::uint64_t ran = 0, skipped = 0;
  double last = 0, sum_skipped = 0;
};

// Executes a class `count` times on the actor; an execution takes time(number).
template <class Time>
Tally execute(Sampler& sampler, std::uint32_t actor, const SampleRule& rule, int count, Time&& time) {
  Tally tally;
  for (int i = 0; i < count; ++i) {
    SampleClass& of = sampler.find(actor, "f", {}, rule);
    const Sampler::Decision decision = sampler.next(of, actor);
    if (decision.runs) {
      ++tally.ran;
      sampler.took(of, actor, time(i), decision.is_cold);
    } else {
      ++tally.skipped;
      tally.last = decision.seconds;
      tally.sum_skipped += decision.seconds;
    }
  }
  return tally;
}

constexpr SampleRule of_actor{.error = 0, .most = 10, .scope = SampleScope::actor};

}  // namespace

TEST_CASE("sampler: a fixed number of executions runs, by actor, host or in all", "[simcore]") {
  const auto constant = [](int) { return 1.0; };
  Sampler sampler(SampleAs::mean, {0, 0, 1, 1});
  for (std::uint32_t actor = 0; actor < 4; ++actor) CHECK(execute(sampler, actor, of_actor, 40, constant).ran == 10);
  SampleRule rule = of_actor;
  rule.scope = SampleScope::host;
  std::uint64_t ran = 0;
  for (std::uint32_t actor = 0; actor < 4; ++actor) ran += execute(sampler, actor, rule, 40, constant).ran;
  CHECK(ran == 20);
  rule.scope = SampleScope::run;
  ran = 0;
  for (std::uint32_t actor = 0; actor < 4; ++actor) ran += execute(sampler, actor, rule, 40, constant).ran;
  CHECK(ran == 10);
  CHECK(sampler.executed() == 70);
  CHECK(sampler.skipped() == 4 * 30 + 140 + 150);
}

TEST_CASE("sampler: other numbers are another class", "[simcore]") {
  Sampler sampler;
  const std::int64_t small[] = {1, 2}, large[] = {1, 3};
  CHECK(&sampler.find(0, "f", small, {}) != &sampler.find(0, "f", large, {}));
  CHECK(&sampler.find(0, "f", small, {}) == &sampler.find(3, "f", small, {}));
  CHECK(&sampler.find(0, "g", small, {}) != &sampler.find(0, "f", small, {}));
}

TEST_CASE("sampler: the first execution of an actor does not count for the mean", "[simcore]") {
  Sampler sampler(SampleAs::mean);
  const Tally tally =
      execute(sampler, 0, {.error = 0.02, .most = 1000}, 100, [](int i) { return i == 0 ? 50.0 : 2.0; });
  CHECK(tally.ran == 33);  // the cold one, and the least number of warm ones
  CHECK(tally.last == 2);
  // An actor that never ran it begins cold, too.
  SampleClass& of = sampler.find(1, "f", {}, {});
  CHECK(sampler.next(of, 1).seconds == 50);
  CHECK(sampler.next(of, 1).seconds == 2);
}

TEST_CASE("sampler: a regular class is complete after few executions, an irregular one after more", "[simcore]") {
  SplitMix noise(3);
  Sampler sampler;
  const Tally regular = execute(sampler, 0, {}, 2000, [&](int) { return 1 + 0.04 * (noise.uniform() - 0.5); });
  CHECK(regular.ran <= 50);
  CHECK(regular.sum_skipped / static_cast<double>(regular.skipped) == Approx(1).epsilon(0.02));
  Sampler of_others;
  const Tally irregular = execute(of_others, 0, {}, 2000, [&](int) { return noise.below(2) == 0 ? 1.0 : 4.0; });
  CHECK(irregular.ran >= 185);
  CHECK(irregular.ran <= 1000);
  CHECK(irregular.sum_skipped / static_cast<double>(irregular.skipped) == Approx(2.5).epsilon(0.1));
}

// The slowest of many ranks has one of the longest times, so their mean must not take the place of each.
TEST_CASE("sampler: draws are measured times, the longest one included", "[simcore]") {
  Sampler sampler;
  const SampleRule rule{.error = 0, .most = 1001};
  std::set<double> drawn;
  for (int i = 0; i < 20000; ++i) {
    SampleClass& of = sampler.find(0, "f", {}, rule);
    const Sampler::Decision decision = sampler.next(of, 0);
    if (decision.runs) sampler.took(of, 0, i == 500 ? 1000.0 : i, decision.is_cold);
    else drawn.insert(decision.seconds);
  }
  CHECK(drawn.size() > 990);
  CHECK(drawn.contains(1000));
  for (const double each : drawn) CHECK(each == std::floor(each));
}

TEST_CASE("sampler: draws depend on actor and number, and on nothing else", "[simcore]") {
  const SampleKey key{"f", {7}};
  SampledTimes times;
  times.warm = EmpiricalDistribution({1, 2, 3, 4, 5, 6, 7, 8});
  const std::int64_t numbers[] = {7};
  Sampler forwards, backwards;
  forwards.know(key, times);
  backwards.know(key, times);
  std::vector<double> one, other;
  for (std::uint32_t actor = 0; actor < 4; ++actor)
    for (int i = 0; i < 50; ++i) one.push_back(forwards.next(forwards.find(actor, "f", numbers, {}), actor).seconds);
  std::vector<std::vector<double>> by_actor(4);
  for (int i = 0; i < 50; ++i)
    for (std::uint32_t actor = 4; actor-- > 0;)
      by_actor[actor].push_back(backwards.next(backwards.find(actor, "f", numbers, {}), actor).seconds);
  for (const auto& each : by_actor) other.insert(other.end(), each.begin(), each.end());
  CHECK(one == other);
  CHECK(by_actor[0] != by_actor[1]);
  CHECK(std::set<double>(one.begin(), one.end()).size() == 8);
  CHECK(forwards.executed() == 0);
}

TEST_CASE("sampler: a sequence repeats the order of an actor's own times", "[simcore]") {
  Sampler sampler(SampleAs::sequence);
  std::vector<double> got;
  for (int i = 0; i < 40; ++i)
    for (std::uint32_t actor = 0; actor < 2; ++actor) {
      SampleClass& of = sampler.find(actor, "f", {}, {.error = 0, .most = 8});
      const Sampler::Decision decision = sampler.next(of, actor);
      if (decision.runs) sampler.took(of, actor, 10 * actor + i, decision.is_cold);
      else if (actor == 1) got.push_back(decision.seconds);
    }
  // The warm times are 1, 2, 3 of actor 0 and 11, 12, 13 of actor 1; actor 1 continues with its execution 4.
  REQUIRE(got.size() == 36);
  const double expected[] = {2, 3, 11, 12, 13, 1};
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i] == expected[i % 6]);
}

// Two modes, 1 and 4, and a barrier of 64 actors after each execution.
TEST_CASE("sampler: draws keep the cost of waiting for the slowest, a mean loses it", "[simcore]") {
  const auto rounds = [](SampleAs as) {
    Sampler sampler(as);
    SplitMix random(5);
    double date = 0;
    for (int round = 0; round < 200; ++round) {
      double slowest = 0;
      for (std::uint32_t actor = 0; actor < 64; ++actor) {
        const double true_time = random.below(2) == 0 ? 1 : 4;
        SampleClass& of = sampler.find(actor, "f", {}, {.error = 0.02, .most = 1000});
        const Sampler::Decision decision = sampler.next(of, actor);
        if (decision.runs) sampler.took(of, actor, true_time, decision.is_cold);
        slowest = std::max(slowest, decision.runs ? true_time : decision.seconds);
      }
      date += slowest;
    }
    return date;
  };
  CHECK(rounds(SampleAs::draw) == Approx(800).epsilon(0.03));
  CHECK(rounds(SampleAs::mean) < 0.7 * 800);
}

TEST_CASE("sampler: executions on a disturbed core do not count while a quarter is undisturbed", "[simcore]") {
  const auto times_of = [](int disturbed_of_10) {
    Sampler sampler(SampleAs::mean);
    SampleClass& of = sampler.find(0, "f", {}, {.error = 0, .most = 101});
    for (int i = 0; i < 101; ++i) {
      const Sampler::Decision decision = sampler.next(of, 0);
      const bool is_disturbed = i % 10 < disturbed_of_10;
      sampler.took(of, 0, is_disturbed ? 4 : 1, decision.is_cold, is_disturbed);
    }
    return std::pair{of.times().warm.mean(), of.disturbed()};
  };
  CHECK(times_of(0) == std::pair{1.0, std::uint64_t{0}});
  CHECK(times_of(7).first == 1);
  CHECK(times_of(7).second == 70);  // number 100 included, the cold one not
  CHECK(times_of(8).first == Approx(0.8 * 4 + 0.2));
}

TEST_CASE("sampler: a disturbed execution takes the time of an undisturbed one", "[simcore]") {
  Sampler sampler;
  SampleClass& of = sampler.find(0, "work", {}, {0, 1000});
  std::vector<double> passed;
  for (int i = 0; i < 40; ++i) {
    const auto decision = sampler.next(of, 0);
    const bool is_disturbed = i % 4 == 3;
    passed.push_back(sampler.took(of, 0, is_disturbed ? 9 : 1 + i % 2, decision.is_cold, is_disturbed));
  }
  CHECK(passed[3] == 9);  // there are 2 undisturbed ones before it, without the cold one
  CHECK(passed[2] == 1);
  for (int i = 7; i < 40; ++i) CHECK(passed[static_cast<std::size_t>(i)] <= 2);
  CHECK(of.replaced() == 9);
}

TEST_CASE("sampler: unusual times of an undisturbed core count", "[simcore]") {
  Sampler sampler;
  const Tally tally =
      execute(sampler, 0, {.error = 0.02, .most = 400}, 1000, [](int i) { return i % 50 == 3 ? 10.0 : 1.0; });
  CHECK(tally.ran == 400);  // one long execution of 50 has most of the variance
  const SampleClass& of = *sampler.classes().front();
  CHECK(of.times().warm.mean() == Approx(1.18).epsilon(0.05));
}

TEST_CASE("sampler: a class waits for undisturbed executions, but not for ever", "[simcore]") {
  const auto executed = [](auto&& is_disturbed) {
    Sampler sampler(SampleAs::mean);
    std::uint64_t ran = 0;
    for (int i = 0; i < 200; ++i) {
      SampleClass& of = sampler.find(0, "f", {}, {});
      const Sampler::Decision decision = sampler.next(of, 0);
      ran += decision.runs;
      if (decision.runs) sampler.took(of, 0, is_disturbed(i) ? 1.3 : 1, decision.is_cold, is_disturbed(i));
    }
    return std::pair{ran, sampler.classes().front()->times().warm.mean()};
  };
  CHECK(executed([](int) { return false; }) == std::pair{std::uint64_t{33}, 1.0});
  CHECK(executed([](int i) { return i < 8; }) == std::pair{std::uint64_t{40}, 1.0});
  const auto always = executed([](int) { return true; });
  CHECK(always.first == 33);
  CHECK(always.second == Approx(1.3));
}
