// SPDX-License-Identifier: MIT
//
// Random groups by all interleavings and by dependent steps.
#include "tests/exactness/groups.hpp"

#include <cinttypes>
#include <cstdio>

#include "simcore/support/random.hpp"
#include "tests/support/verdicts.hpp"

namespace rehearse::tests {

namespace {

// Each is run from its start.
constexpr std::size_t most_interleavings = 600;

}  // namespace

GroupShape random_shape(std::uint64_t seed) {
  SplitMix random(seed);
  const auto draw = [&random](std::uint64_t choices) { return static_cast<std::uint32_t>(random.next() % choices); };
  GroupShape shape;
  shape.actors = 2 + (draw(2) == 0 ? 0 : 1 + draw(4) / 3);
  shape.steps = shape.actors == 2 ? 1 + draw(2) : 1;
  for (bool* feature : {&shape.locks, &shape.semaphores, &shape.conditions, &shape.barriers, &shape.variables})
    *feature = draw(2) == 0;
  shape.variables = shape.variables || !(shape.semaphores || shape.conditions);  // something that needs no lock
  shape.timeouts = draw(2) == 0;
  shape.failures = draw(4) == 0;
  return shape;
}

GroupComparison::GroupComparison() : platform_(make_platform("cluster:1")) {}

// An order may be begun twice where steps touch more than they said: locks that an exception lets go.
bool GroupComparison::add(std::uint64_t seed) {
  const GroupShape shape = random_shape(seed);
  const WatchedGroup::Setup setup = random_group(seed, shape);
  WatchedGroup every(platform_.value(), setup), reduced(platform_.value(), setup);
  const AllOrders all = all_orders(every, most_interleavings);
  if (!all.is_complete) {
    ++too_large_;
    return true;
  }
  const mc::Verdict verdict = explored(reduced, mc::Reduction::odpor);
  ++groups_;
  interleavings_ += all.interleavings;
  orders_ += all.orders.size();
  twice_ += verdict.duplicates;
  // Where an exception lets go of a lock nothing is claimed, and yet no difference is known.
  const bool is_exact = shape.failures || (verdict.exhaustive && verdict.duplicates == 0);
  if (is_exact && verdict.executions == all.orders.size() && reduced.endings() == every.endings()) return true;
  std::printf("DIFFERENCE of group %" PRIu64 ": %zu orders and %zu endings, odpor: %" PRIu64 " orders, %" PRIu64
              " begun twice, %zu endings\n",
              seed, all.orders.size(), every.endings().size(), verdict.executions, verdict.duplicates,
              reduced.endings().size());
  return false;
}

void GroupComparison::print() const {
  std::printf("groups: %" PRIu64 " groups, %" PRIu64 " interleavings, %" PRIu64 " orders, %" PRIu64
              " begun twice; %" PRIu64 " too large\n",
              groups_, interleavings_, orders_, twice_, too_large_);
  std::fflush(stdout);
}

}  // namespace rehearse::tests
