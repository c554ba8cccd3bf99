// SPDX-License-Identifier: MIT
//
// Fluid: what can be done to an activity and to a resource, with dates computed by hand.
#include "simcore/sharing/fluid.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>

namespace fluid_test {

using namespace rehearse;
using namespace rehearse::sharing;

namespace {

TimePoint at(double seconds) { return TimePoint{} + Duration::from_seconds(seconds); }

// Runs until nothing happens any more, or until `until`; notes when what ended.
std::map<ActivityIndex, double> run(Fluid& fluid, double until = 1e6) {
  std::map<ActivityIndex, double> ends;
  std::vector<ActivityIndex> ended;
  while (fluid.is_busy()) {
    const TimePoint next = fluid.next_date();
    if (next == never || next > at(until)) break;
    ended.clear();
    fluid.advance(next, ended);
    for (const ActivityIndex index : ended) ends[index] = next.seconds();
  }
  return ends;
}

// A scale that is 1 for a second, then `other` for a second, and so on.
class Alternating final : public WorkClock {
 public:
  explicit Alternating(double other) : other_(other) {}
  double integral(TimePoint date) const override {
    const double t = date.seconds(), whole = std::floor(t / 2), rest = t - 2 * whole;
    return whole * (1 + other_) + (rest < 1 ? rest : 1 + (rest - 1) * other_);
  }
  TimePoint inverse(double value) const override {
    const double whole = std::floor(value / (1 + other_));
    const double rest = value - whole * (1 + other_);
    return at(2 * whole + (rest <= 1 ? rest : 1 + (rest - 1) / other_));
  }

 private:
  double other_;
};

}  // namespace

TEST_CASE("fluid: flows follow a shared resource, a delay and a cancellation", "[simcore][sharing]") {
  Fluid fluid;
  const Use use{fluid.add_resource(10), 1};
  const Work work{{}, 10, 1, unbounded, {&use, 1}};
  const ActivityIndex a = fluid.start(work, {});
  Work later = work;
  later.delay = Duration::from_seconds(0.5);
  const ActivityIndex b = fluid.start(later, {});
  const ActivityIndex c = fluid.start(work, {});
  CHECK(fluid.rate(a) == 5);
  CHECK(fluid.phase(b) == Phase::delayed);
  CHECK(run(fluid, 0.5).empty());
  CHECK(fluid.rate(a) == Approx(10.0 / 3));
  CHECK(fluid.remaining(b, at(0.8)) == Approx(9));
  fluid.cancel(c, at(0.8));
  CHECK(fluid.flows(use.resource) == 2);
  auto ends = run(fluid);
  CHECK(ends[a] == Approx(0.8 + 6.5 / 5));
  CHECK(ends[b] == Approx(2.0 + 0.0 + (9 - 6.5) / 10 + 0.1));
  CHECK_FALSE(fluid.is_busy());
}

TEST_CASE("fluid: suspended work stands still, also during its delay", "[simcore][sharing]") {
  Fluid fluid;
  const Use use{fluid.add_resource(10), 1};
  const ActivityIndex a = fluid.start({Duration::from_seconds(1), 10, 1, unbounded, {&use, 1}}, {});
  fluid.suspend(a, at(0.25));
  CHECK(fluid.next_date() == never);
  fluid.resume(a, at(10));
  CHECK(fluid.next_date() == at(10.75));
  CHECK(run(fluid, 10.75).empty());
  fluid.suspend(a, at(11));
  CHECK(fluid.remaining(a, at(12)) == Approx(7.5));
  CHECK(fluid.usage(use.resource) == 0);
  fluid.resume(a, at(20));
  CHECK(run(fluid)[a] == Approx(20.75));
}

TEST_CASE("fluid: capacity, bound, weight and coefficients can change while work flows", "[simcore][sharing]") {
  Fluid fluid;
  const ResourceIndex r = fluid.add_resource(10);
  const Use use{r, 1}, twice[] = {{r, 1}, {r, 1}};
  const ActivityIndex a = fluid.start({{}, 100, 1, unbounded, {&use, 1}}, {});
  const ActivityIndex b = fluid.start({{}, 100, 1, unbounded, {&use, 1}}, {});
  fluid.set_capacity(r, 0, at(2));
  CHECK(fluid.next_date() == never);
  CHECK(fluid.remaining(a, at(2)) == Approx(90));
  fluid.set_capacity(r, 30, at(3));
  fluid.set_weight(a, 2, at(3));
  CHECK(fluid.rate(a) == Approx(10));
  CHECK(fluid.rate(b) == Approx(20));
  CHECK_FALSE(fluid.limit(b).is_bound);
  fluid.set_bound(b, 6, at(4));
  CHECK(fluid.rate(a) == Approx(24));
  CHECK(fluid.limit(b).is_bound);
  fluid.set_coefficients(a, twice, {}, at(4));
  CHECK(fluid.rate(a) == Approx(12));
  CHECK(fluid.usage(r) == Approx(30));
  CHECK(run(fluid)[a] == Approx(4 + 80.0 / 12));
}

TEST_CASE("fluid: at most the permitted number of activities flow at once, the others wait in order",
          "[simcore][sharing]") {
  Fluid fluid;
  const ResourceIndex r = fluid.add_resource(10);
  fluid.set_concurrency_limit(r, 2);
  const Use use{r, 1}, little{r, 0.05};
  std::vector<ActivityIndex> all;
  for (int i = 0; i < 5; ++i) all.push_back(fluid.start({{}, 10, 1, unbounded, {&use, 1}}, {}));
  const ActivityIndex free = fluid.start({{}, 1e-9, 1, unbounded, {&little, 1}}, {});
  CHECK(fluid.phase(all[2]) == Phase::waiting);
  CHECK(fluid.phase(free) == Phase::flowing);
  fluid.cancel(all[3], {});
  auto ends = run(fluid);
  CHECK(ends[all[0]] == Approx(2));
  CHECK(ends[all[1]] == Approx(2));
  CHECK(ends[all[2]] == Approx(4));
  CHECK(ends[all[4]] == Approx(4));
}

TEST_CASE("fluid: a capacity can depend on the number of flows", "[simcore][sharing]") {
  Fluid fluid;
  const ResourceIndex r = fluid.add_resource(10);
  fluid.set_capacity_function(r, [](double c, std::uint32_t n) { return c / n; }, {});
  const Use use{r, 1};
  const ActivityIndex a = fluid.start({{}, 10, 1, unbounded, {&use, 1}}, {});
  const ActivityIndex b = fluid.start({{}, 5, 1, unbounded, {&use, 1}}, {});
  CHECK(fluid.rate(a) == Approx(2.5));
  auto ends = run(fluid);
  CHECK(ends[b] == Approx(2));
  CHECK(ends[a] == Approx(2.5));
}

TEST_CASE("fluid: work on a clock ends where the clock's integral says", "[simcore][sharing]") {
  Fluid fluid;
  const Alternating clock(3), slower(0.5);
  const std::uint32_t on = fluid.add_clock(&clock);
  const Use use{fluid.add_resource(1), 1};
  const ActivityIndex a = fluid.start({{}, 41, 1, unbounded, {&use, 1}, on}, {});
  CHECK(fluid.next_date() == at(21));
  CHECK(fluid.remaining(a, at(1.5)) == Approx(41 - 2.5));
  fluid.replace_clock(on, &slower, at(4));
  CHECK(fluid.remaining(a, at(4)) == Approx(33));
  CHECK(run(fluid)[a] == Approx(4 + 44));
}

TEST_CASE("fluid: watched resources report changes of their load", "[simcore][sharing]") {
  Fluid fluid;
  const ResourceIndex r = fluid.add_resource(10), other = fluid.add_resource(10);
  fluid.watch(r);
  const Use use{r, 1}, elsewhere{other, 1};
  fluid.start({{}, 10, 1, 4, {&use, 1}}, {});
  REQUIRE(fluid.changed().size() == 1);
  CHECK(fluid.usage(r) == 4);
  CHECK(fluid.changed().empty());
  fluid.start({{}, 10, 1, unbounded, {&elsewhere, 1}}, {});
  CHECK(fluid.changed().empty());
  fluid.set_capacity(r, 3, {});
  CHECK(fluid.changed().size() == 1);
}

namespace {

// The same things done to two fluids. In the second every resource has a (generous) limit, so that nothing there has a
// resource for itself or in advance: all goes the long way.
class Twins {
 public:
  explicit Twins(std::uint32_t seed) : random_(seed) {
    for (ResourceIndex i = 0; i < resources; ++i)
      for (Fluid* fluid : {&short_way_, &long_way_}) {
        fluid->add_resource(10 + i);
        if (fluid == &long_way_) fluid->set_concurrency_limit(i, 1'000'000, 1);
      }
  }

  void step() {
    const std::uint32_t what = whole(8);
    if (what < 2) return start();
    if (what == 2) return go_on();
    if (what == 7) return look();
    if (what == 6) {
      const ResourceIndex resource = whole(resources);
      const double capacity = 1 + whole(30);
      for (Fluid* fluid : {&short_way_, &long_way_}) fluid->set_capacity(resource, capacity, now_);
    } else if (!live_.empty()) {
      change(what, whole(static_cast<std::uint32_t>(live_.size())));
    }
  }

 private:
  static constexpr ResourceIndex resources = 6;
  using Names = std::pair<ActivityIndex, ActivityIndex>;  // of one activity in both

  std::uint32_t whole(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }

  template <class Function>
  void with_both(const Names& names, const Function& function) {
    function(short_way_, names.first);
    function(long_way_, names.second);
  }

  void change(std::uint32_t what, std::uint32_t place) {
    const Names one = live_[place];
    const double bound = 1 + whole(20);
    with_both(one, [&](Fluid& fluid, ActivityIndex a) {
      if (what == 3) fluid.cancel(a, now_);
      if (what == 4) fluid.set_bound(a, bound, now_);
      if (what != 5) return;
      fluid.suspend(a, now_);
      fluid.resume(a, now_);
    });
    if (what == 3) live_.erase(live_.begin() + place);
  }

  void start() {
    std::vector<Use> uses;
    for (std::uint32_t i = whole(2) + 1; i > 0; --i) uses.push_back({whole(resources), 1.0 + whole(2)});
    const Work work{Duration::from_seconds(0.25 * whole(4)), 1.0 + whole(20), 1, unbounded, uses};
    live_.push_back({short_way_.start(work, now_), long_way_.start(work, now_)});
  }

  // What ends in a fluid up to a date.
  static std::map<ActivityIndex, double> ends_of(Fluid& fluid, TimePoint until) {
    std::map<ActivityIndex, double> ends;
    std::vector<ActivityIndex> ended;
    for (TimePoint next = fluid.next_date(); next <= until; next = fluid.next_date()) {
      ended.clear();
      fluid.advance(next, ended);
      for (const ActivityIndex index : ended) ends[index] = next.seconds();
    }
    fluid.advance(until, ended);
    return ends;
  }

  // The two may have different dates at which nothing ends.
  void go_on() {
    now_ = now_ + Duration::from_seconds(0.125 * (1 + whole(8)) + 1e-7);  // nothing ends just there
    const auto short_ends = ends_of(short_way_, now_), long_ends = ends_of(long_way_, now_);
    CHECK(short_ends.size() == long_ends.size());
    std::erase_if(live_, [&](const Names& names) {
      const auto found = short_ends.find(names.first);
      if (found == short_ends.end()) return false;
      REQUIRE(long_ends.contains(names.second));
      CHECK(found->second == Approx(long_ends.at(names.second)).epsilon(1e-9));
      return true;
    });
  }

  void look() {
    for (const auto& [a, b] : live_) {
      REQUIRE(short_way_.phase(a) == long_way_.phase(b));
      CHECK(short_way_.remaining(a, now_) == Approx(long_way_.remaining(b, now_)).margin(1e-9));
      CHECK(short_way_.rate(a) == Approx(long_way_.rate(b)).margin(1e-9));
    }
    for (ResourceIndex i = 0; i < resources; ++i) CHECK(short_way_.usage(i) == Approx(long_way_.usage(i)).margin(1e-9));
  }

  std::mt19937 random_;
  Fluid short_way_, long_way_;
  TimePoint now_;
  std::vector<Names> live_;
};

}  // namespace

TEST_CASE("fluid: uncontended and precomputed activities have the dates of the full computation",
          "[simcore][sharing]") {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    Twins twins(seed);
    for (int i = 0; i < 300; ++i) twins.step();
  }
}

}  // namespace fluid_test
