// SPDX-License-Identifier: MIT
//
// Fluid against its judge: random lives of activities, every date compared; and what must not matter.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "tests/unit/simcore/sharing/slow_fluid.hpp"

namespace fluid_random_test {

using namespace rehearse;
using namespace rehearse::sharing;

namespace {

TimePoint at(double seconds) { return TimePoint{} + Duration::from_seconds(seconds); }

// Speed 1 for a third of a second, then 0.25 for two thirds, and so on.
class Blinking final : public WorkClock {
 public:
  double integral(TimePoint date) const override {
    const double t = date.seconds(), whole = std::floor(t), rest = t - whole;
    return whole / 2 + (rest < 1.0 / 3 ? rest : 1.0 / 3 + (rest - 1.0 / 3) / 4);
  }
  TimePoint inverse(double value) const override {
    const double whole = std::floor(value * 2), rest = value - whole / 2;
    return at(whole + (rest <= 1.0 / 3 ? rest : 1.0 / 3 + (rest - 1.0 / 3) * 4));
  }
};

// Does the same to both and compares.
class Comparison {
 public:
  explicit Comparison(unsigned seed) : random_(seed) {
    clock_ = fluid_.add_clock(&blinking_);
    for (std::uint32_t i = 3 + below(10); i > 0; --i) {
      SlowFluid::Resource resource{real(1, 10), ~0u, nullptr};
      const ResourceIndex index = fluid_.add_resource(resource.capacity);
      if (below(6) == 0) {
        resource.limit = 1 + below(4);
        fluid_.set_concurrency_limit(index, resource.limit);
      }
      if (below(6) == 0) {
        resource.function = [](double c, std::uint32_t n) { return c / (1 + 0.1 * n); };
        fluid_.set_capacity_function(index, resource.function, {});
      }
      slow_.resources.push_back(resource);
    }
    // Few kinds of work, so that bundles have several members.
    for (std::uint32_t i = 2 + below(12); i > 0; --i) kinds_.push_back(kind());
  }

  void run() {
    for (int i = 0; i < 120; ++i) {
      date_ = at(date_).seconds();
      go_to(date_);
      change();
      if (below(3)) date_ += real(0, below(4) ? 0.3 : 3);
    }
    go_to(unbounded);
    for (const auto& [id, end] : slow_ends_)
      if (!(std::fabs(ends_[id] - end) <= 1e-9 * end + 1e-10)) FAIL_CHECK("activity " << id);
    CHECK(ends_.size() == slow_ends_.size());
  }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  double real(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

  SlowFluid::Activity kind() {
    SlowFluid::Activity kind;
    if (below(2)) kind.weight = real(0.3, 3);
    if (below(3) == 0) kind.bound = real(0.1, 3);
    if (below(4) == 0) kind.clock = &blinking_;
    kind.uses = uses();
    return kind;
  }
  std::vector<Use> uses() {
    std::vector<Use> uses;
    for (std::uint32_t i = 1 + below(3); i > 0; --i) {
      const auto resource = below(static_cast<std::uint32_t>(slow_.resources.size()));
      if (std::none_of(uses.begin(), uses.end(), [&](const Use& use) { return use.resource == resource; }))
        uses.push_back({resource, below(3) ? 1 : 0.05});
    }
    return uses;
  }

  void start() {
    SlowFluid::Activity activity = kinds_[below(static_cast<std::uint32_t>(kinds_.size()))];
    if (below(2)) activity.delay = at(real(0, 0.5)).seconds();
    activity.amount = below(4) ? real(0.1, 5) : 2;
    const ActivityIndex index = fluid_.start({Duration::from_seconds(activity.delay), activity.amount, activity.weight,
                                              activity.bound, activity.uses, activity.clock ? clock_ : plain_time},
                                             at(date_));
    ids_[index] = next_id_;
    live_[next_id_] = index;
    slow_.start(next_id_++, activity);
  }

  void change() {
    const std::uint32_t what = below(16);
    if (what < 7 || live_.empty()) {
      start();
      return;
    }
    const TimePoint now = at(date_);
    const auto [id, index] = *std::next(live_.begin(), below(static_cast<std::uint32_t>(live_.size())));
    SlowFluid::Activity& activity = slow_.activities[id];
    CHECK(fluid_.remaining(index, now) == Approx(activity.amount).epsilon(1e-9).margin(1e-9));
    CHECK(fluid_.rate(index) == Approx(activity.rate).epsilon(1e-9));
    switch (what) {
      case 7:
        fluid_.cancel(index, now);
        slow_.cancel(id);
        live_.erase(id);
        break;
      case 8:
      case 9:
        fluid_.suspend(index, now);
        slow_.suspend(id);
        break;
      case 10:
      case 11:
      case 12:
        fluid_.resume(index, now);
        slow_.resume(id);
        break;
      default: change_shape(what, index, activity);
    }
  }

  void change_shape(std::uint32_t what, ActivityIndex index, SlowFluid::Activity& activity) {
    const TimePoint now = at(date_);
    if (what == 13) {
      activity.weight = real(0.3, 3);
      fluid_.set_weight(index, activity.weight, now);
    } else if (what == 14) {
      activity.bound = real(0, 2) * (below(5) ? 1 : 0);
      fluid_.set_bound(index, activity.bound, now);
    } else {
      const auto resource = below(static_cast<std::uint32_t>(slow_.resources.size()));
      slow_.resources[resource].capacity = below(8) ? real(1, 10) : 0;
      fluid_.set_capacity(resource, slow_.resources[resource].capacity, now);
    }
    slow_.solve();
  }

  void go_to(double date) {
    slow_.run(date, slow_ends_);
    std::vector<ActivityIndex> ended;
    while (true) {
      const TimePoint next = fluid_.next_date();
      if (next == never || next.seconds() > date + 1e-12) break;
      ended.clear();
      fluid_.advance(next, ended);
      for (const ActivityIndex index : ended) {
        ends_[ids_[index]] = next.seconds();
        live_.erase(ids_[index]);
      }
    }
  }

  std::mt19937 random_;
  Blinking blinking_;
  Fluid fluid_;
  SlowFluid slow_;
  std::uint32_t clock_ = 0;
  std::vector<SlowFluid::Activity> kinds_;
  double date_ = 0;
  ActivityIndex next_id_ = 0;
  std::map<ActivityIndex, ActivityIndex> ids_;   // ours, by Fluid's
  std::map<ActivityIndex, ActivityIndex> live_;  // Fluid's, by ours
  std::map<ActivityIndex, double> ends_;
  std::map<ActivityIndex, double> slow_ends_;
};

}  // namespace

TEST_CASE("fluid: random activities have the dates of a step-by-step simulation", "[simcore][sharing]") {
  for (unsigned seed = 0; seed < 500; ++seed) {
    INFO("seed " << seed);
    Comparison(seed).run();
  }
}

}  // namespace fluid_random_test
