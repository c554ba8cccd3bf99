// SPDX-License-Identifier: MIT
//
// Watching a fluid: it changes no date by a picosecond, and the reported loads are the sums of the rates.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "simcore/sharing/fluid.hpp"

namespace load_watch_test {

using namespace rehearse;
using namespace rehearse::sharing;

namespace {

constexpr double never_seconds = 1e6;

TimePoint at(double seconds) { return TimePoint{} + Duration::from_seconds(seconds); }

// The same life of three fluids. The first one is watched, and its activities pass meters; the second one is not; the
// third one is asked for the rates of all activities, at each date of a report.
class Life {
 public:
  explicit Life(unsigned seed) : random_(seed) {
    for (std::uint32_t i = 4 + below(10); i > 0; --i) {
      const double capacity = real(1, 10);
      const Division division = below(5) ? Division::shared : Division::fatpipe;
      ResourceIndex index = 0;
      for (Fluid* fluid : all_) index = fluid->add_resource(capacity, division);
      divisions_.push_back(division);
      if (below(4)) watch(index);
      if (below(9) == 0)
        for (Fluid* fluid : all_) fluid->set_concurrency_limit(index, 3);
      if (below(9) == 0)
        for (Fluid* fluid : all_)
          fluid->set_capacity_function(index, [](double c, std::uint32_t n) { return c / (1 + 0.1 * n); }, {});
    }
    resources_ = static_cast<std::uint32_t>(divisions_.size());
    for (std::uint32_t i = 1 + below(3); i > 0; --i) {
      meters_.push_back(watched_.add_meter());
      for (Fluid* fluid : {&plain_, &probe_}) fluid->add_resource(1);  // equal indices
      divisions_.push_back(Division::shared);
      load_[meters_.back()] = 0;
    }
    for (std::uint32_t i = 2 + below(8); i > 0; --i) kinds_.push_back(kind());
  }

  void run() {
    for (int i = 0; i < 150; ++i) {
      for (std::uint32_t count = below(4) ? 1 : 1 + below(20); count > 0; --count) change();
      if (below(4)) pass(at(date_ + real(0, below(4) ? 0.2 : 3)));
    }
    for (const ActivityIndex index : suspended_all()) resume(index);
    while (plain_.next_date() != never && plain_.next_date() < at(never_seconds)) pass(plain_.next_date());
    CHECK(watched_.next_date() == plain_.next_date());
  }

 private:
  struct Activity {
    Work work;
    std::vector<Use> uses, meters;
    bool is_suspended = false;
  };

  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  double real(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

  void watch(ResourceIndex index) {
    watched_.watch(index);
    load_[index] = 0;
  }

  Activity kind() {
    Activity kind;
    if (below(3) == 0) kind.work.weight = real(0.3, 3);
    if (below(3) == 0) kind.work.bound = real(0.1, 3);
    if (below(2)) kind.work.delay = Duration::from_seconds(real(0, 0.3));
    kind.work.amount = below(8) ? real(0.05, 2) : 0;
    for (std::uint32_t i = 1 + below(3); i > 0; --i) {
      const ResourceIndex resource = below(resources_);
      if (std::ranges::find(kind.uses, resource, &Use::resource) == kind.uses.end())
        kind.uses.push_back({resource, below(3) ? 1 : 0.05});
    }
    for (const ResourceIndex meter : meters_)
      if (below(2)) kind.meters.push_back({meter, below(2) ? 1.0 : 0.5});
    return kind;
  }

  void start() {
    Activity activity = kinds_[below(static_cast<std::uint32_t>(kinds_.size()))];
    if (below(2)) activity.work.amount = real(0.05, 2);
    activity.work.uses = activity.uses;
    const TimePoint now = at(date_);
    const ActivityIndex index = plain_.start(activity.work, now);
    CHECK(probe_.start(activity.work, now) == index);
    activity.work.meters = activity.meters;
    CHECK(watched_.start(activity.work, now) == index);
    live_[index] = std::move(activity);
  }

  void resume(ActivityIndex index) {
    for (Fluid* fluid : all_) fluid->resume(index, at(date_));
    live_[index].is_suspended = false;
  }

  std::vector<ActivityIndex> suspended_all() const {
    std::vector<ActivityIndex> all;
    for (const auto& [index, activity] : live_)
      if (activity.is_suspended) all.push_back(index);
    return all;
  }

  void change() {
    const std::uint32_t what = below(16);
    const TimePoint now = at(date_);
    if (what < 8 || live_.empty()) return start();
    const ActivityIndex index = std::next(live_.begin(), below(static_cast<std::uint32_t>(live_.size())))->first;
    Activity& activity = live_[index];
    const double value = real(0.1, 3);
    switch (what) {
      case 8:
        for (Fluid* fluid : all_) fluid->cancel(index, now);
        live_.erase(index);
        return;
      case 9:
        for (Fluid* fluid : all_) fluid->suspend(index, now);
        activity.is_suspended = true;
        return;
      case 10:
      case 11: return resume(index);
      case 12:
        for (Fluid* fluid : all_) fluid->set_weight(index, value, now);
        return;
      case 13:
        for (Fluid* fluid : all_) fluid->set_bound(index, value, now);
        return;
      case 14: {
        const Activity other = kind();
        activity.uses = other.uses;
        activity.meters = other.meters;
        for (Fluid* fluid : all_)
          fluid->set_coefficients(index, activity.uses, fluid == &watched_ ? activity.meters : std::vector<Use>{}, now);
        return;
      }
      default: {
        const ResourceIndex resource = below(resources_);
        for (Fluid* fluid : all_) fluid->set_capacity(resource, 3 * value, now);
      }
    }
  }

  // Goes to the date, over all events before it and at it.
  void pass(TimePoint until) {
    while (true) {
      const TimePoint event = plain_.next_date(), date = std::min(event, until);
      REQUIRE(watched_.next_date() == event);
      REQUIRE(probe_.next_date() == event);
      take_loads(date);
      std::vector<ActivityIndex> ended, same;
      plain_.advance(date, ended);
      watched_.advance(date, same);
      REQUIRE(same == ended);
      same.clear();
      probe_.advance(date, same);
      REQUIRE(same == ended);
      for (const ActivityIndex index : ended) live_.erase(index);
      date_ = date.seconds();
      if (date == until && plain_.next_date() > date) return;
    }
  }

  // The reports of the present date, and of those before `until`.
  void take_loads(TimePoint until) {
    const std::span<const LoadChange> fresh = watched_.changed(until);
    const std::vector<LoadChange> changes(fresh.begin(), fresh.end());
    TimePoint date = at(date_);
    for (std::size_t i = 0; i <= changes.size(); ++i) {
      const bool is_last = i == changes.size();
      if (is_last || changes[i].from != date) check_loads();
      if (is_last) return;
      REQUIRE(changes[i].from >= date);
      REQUIRE((changes[i].from < until || changes[i].from == at(date_)));
      if (changes[i].from != date) {
        date = changes[i].from;
        std::vector<ActivityIndex> ended;
        probe_.advance(date, ended);
        REQUIRE(ended.empty());
      }
      REQUIRE(load_.contains(changes[i].resource));
      load_[changes[i].resource] = changes[i].usage;
    }
  }

  // The date of the probe.
  void check_loads() {
    for (const auto& [resource, load] : load_) {
      double sum = 0, greatest = 0;
      for (const auto& [index, activity] : live_) {
        if (probe_.phase(index) != Phase::flowing) continue;
        for (const std::vector<Use>* uses : {&activity.uses, &activity.meters})
          for (const Use& use : *uses)
            if (use.resource == resource) {
              sum += use.coefficient * probe_.rate(index);
              greatest = std::max(greatest, use.coefficient * probe_.rate(index));
            }
      }
      const double wanted = divisions_[resource] == Division::fatpipe ? greatest : sum;
      INFO("resource " << resource << " at " << date_ << " s");
      CHECK(load == Approx(wanted).epsilon(1e-9).margin(1e-9));
    }
  }

  std::mt19937 random_;
  double date_ = 0;
  Fluid watched_, plain_, probe_;
  std::vector<Fluid*> all_ = {&watched_, &plain_, &probe_};
  std::vector<Division> divisions_;
  std::uint32_t resources_ = 0;
  std::vector<ResourceIndex> meters_;
  std::vector<Activity> kinds_;
  std::map<ActivityIndex, Activity> live_;
  std::map<ResourceIndex, double> load_;  // as reported
};

}  // namespace

TEST_CASE("loads: watching changes no date, and reports the sums of the rates", "[simcore][sharing]") {
  for (unsigned seed = 0; seed < 150; ++seed) {
    INFO("seed " << seed);
    Life(seed).run();
  }
}

TEST_CASE("loads: a delay that is no event ends at its own date", "[simcore][sharing]") {
  Fluid fluid;
  const ResourceIndex link = fluid.add_resource(10), meter = fluid.add_meter();
  fluid.watch(link);
  const Use use{link, 1}, passed{meter, 1};
  fluid.start({.delay = Duration::from_seconds(2), .amount = 30, .uses = {&use, 1}, .meters = {&passed, 1}}, {});
  REQUIRE(fluid.next_date() == at(5));
  CHECK(fluid.changed(at(2)).empty());
  const auto changes = fluid.changed(at(5));
  REQUIRE(changes.size() == 2);
  for (const LoadChange& change : changes) {
    CHECK(change.from == at(2));
    CHECK(change.usage == 10);
  }
  std::vector<ActivityIndex> ended;
  fluid.advance(at(5), ended);
  REQUIRE(ended.size() == 1);
  const auto after = fluid.changed();
  REQUIRE(after.size() == 2);
  CHECK(after.front().from == at(5));
  CHECK(after.front().usage == 0);
}

TEST_CASE("loads: a flow that slows down lowers the load of links that are not full", "[simcore][sharing]") {
  Fluid fluid;
  const ResourceIndex narrow = fluid.add_resource(10), wide = fluid.add_resource(100);
  fluid.watch(wide);
  fluid.set_concurrency_limit(narrow, 1000);  // so that flows share step by step
  const std::vector<Use> both = {{narrow, 1}, {wide, 1}}, one = {{narrow, 1}};
  for (int i = 0; i < 2; ++i) fluid.start({.delay = {}, .amount = 100, .weight = 1.0 + i, .uses = both}, {});
  REQUIRE(fluid.changed().size() == 1);
  CHECK(fluid.usage(wide) == Approx(10));
  for (int i = 0; i < 30; ++i) fluid.start({.delay = {}, .amount = 100.0 + i, .uses = one}, at(1));
  const auto changes = fluid.changed();
  REQUIRE(changes.size() == 1);
  CHECK(changes.front().usage == Approx(10 * 1.5 / 31.5));
}

}  // namespace load_watch_test
