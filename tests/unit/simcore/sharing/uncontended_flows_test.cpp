// SPDX-License-Identifier: MIT
//
// Activities that share nothing, which Fluid does not solve for: whatever comes, it ends as if it had.
#include <catch2/catch.hpp>

#include "simcore/sharing/fluid.hpp"

namespace rehearse::sharing {
namespace {

TimePoint at(double seconds) { return TimePoint{} + Duration::from_seconds(seconds); }

struct Twice : WorkClock {
  double integral(TimePoint date) const override { return 2 * date.seconds(); }
  TimePoint inverse(double integral) const override { return at(integral / 2); }
};

// One link of 10 per second and one of 20; work of 100 on both, begun at second 0.
struct Uncontended {
  Fluid fluid;
  ResourceIndex narrow = fluid.add_resource(10);
  ResourceIndex wide = fluid.add_resource(20);
  std::vector<Use> uses{{narrow, 1}, {wide, 1}};
  ActivityIndex first = fluid.start({.delay = {}, .amount = 100, .uses = uses}, {});

  double end() {
    std::vector<ActivityIndex> ended;
    TimePoint last;
    while (fluid.is_busy()) fluid.advance(last = fluid.next_date(), ended);
    return last.seconds();
  }
};

TEST_CASE("uncontended: a flow is as fast as its tightest resource, which is its limit", "[sharing]") {
  Uncontended a;
  CHECK(a.fluid.rate(a.first) == 10);
  CHECK(a.fluid.limit(a.first).resource == a.narrow);
  CHECK(a.fluid.usage(a.wide) == 10);
  CHECK(a.fluid.remaining(a.first, at(4)) == Approx(60));
  CHECK(a.end() == Approx(10));
}

TEST_CASE("uncontended: a later flow shares the resource with the remaining work of the first", "[sharing]") {
  Uncontended a;
  const Use use{a.narrow, 1};
  const ActivityIndex second = a.fluid.start({.delay = {}, .amount = 10, .uses = {&use, 1}}, at(5));
  CHECK(a.fluid.rate(a.first) == Approx(5));
  CHECK(a.fluid.rate(second) == Approx(5));
  CHECK(a.fluid.usage(a.narrow) == Approx(10));
  CHECK(a.end() == Approx(11));
}

TEST_CASE("uncontended: changes of capacity, bound and clock, pauses and watching have their effects", "[sharing]") {
  SECTION("capacity") {
    Uncontended a;
    a.fluid.set_capacity(a.narrow, 50, at(5));
    CHECK(a.end() == Approx(7.5));
  }
  SECTION("bound") {
    Uncontended a;
    a.fluid.set_bound(a.first, 2, at(5));
    CHECK(a.fluid.limit(a.first).is_bound);
    CHECK(a.end() == Approx(30));
  }
  SECTION("suspended and resumed") {
    Uncontended a;
    a.fluid.suspend(a.first, at(5));
    CHECK(a.fluid.remaining(a.first, at(6)) == Approx(50));
    a.fluid.resume(a.first, at(8));
    CHECK(a.end() == Approx(13));
  }
  SECTION("cancelled: the next one is uncontended again") {
    Uncontended a;
    a.fluid.cancel(a.first, at(5));
    a.first = a.fluid.start({.delay = {}, .amount = 100, .uses = a.uses}, at(6));
    CHECK(a.end() == Approx(16));
  }
  SECTION("watched") {
    Uncontended a;
    a.fluid.watch(a.narrow);
    REQUIRE(a.fluid.changed().size() == 1);
    CHECK(a.fluid.usage(a.narrow) == Approx(10));
    CHECK(a.end() == Approx(10));
    CHECK(a.fluid.usage(a.narrow) == 0);
  }
  SECTION("a clock of its own, and another one") {
    Uncontended a;
    a.fluid.cancel(a.first, {});
    const Twice twice;
    const std::uint32_t clock = a.fluid.add_clock(&twice);
    a.first = a.fluid.start({.delay = {}, .amount = 100, .uses = a.uses, .clock = clock}, {});
    CHECK(a.fluid.next_date().seconds() == Approx(5));
    CHECK(a.fluid.remaining(a.first, at(1)) == Approx(80));
    a.fluid.replace_clock(clock, nullptr, at(1));
    CHECK(a.end() == Approx(9));
  }
}

}  // namespace
}  // namespace rehearse::sharing
