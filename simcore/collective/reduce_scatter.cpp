// SPDX-License-Identifier: MIT
//
// Reductions whose result is scattered.
//
// Source: Thakur, Rabenseifner, Gropp, Optimization of collective communication operations, 2005 (recursive
//         halving, pairwise exchange); Traff, An improved algorithm for (non-commutative) reduce-scatter with an
//         application, 2005 (butterfly); Patarasuk, Yuan, 2009 (ring).
#include "simcore/collective/algorithm.hpp"
#include "simcore/collective/halving.hpp"
#include "simcore/collective/trees.hpp"

namespace rehearse::collective {

namespace reduce_scatter_family {
namespace {

SchedulePtr nonoverlapping(const CollectiveShape& shape, const Parameters&) {
  const std::uint32_t members = shape.members;
  const Tree tree(TreeKind::knomial, members, 2);
  const SchedulePtr scatter = planned(members > 1, [=](std::uint32_t me, std::uint32_t, Round& plan) {
    if (me > 0) return plan.receives.push_back({0, 0});
    for (std::uint32_t i = 1; i < members; ++i) plan.sends.push_back({i, for_targets({i, 1, 1}, members), {}});
  });
  return sequence({combine_up(tree, 0, whole(members), true), scatter});
}

// The distance is halved with the vector, so each part ends at its target.
SchedulePtr recursive_halving(const CollectiveShape& shape, const Parameters&) {
  const std::uint32_t members = shape.members;
  const Fold fold(members);
  const std::uint32_t last = fold.power.exponent + 1;
  return planned(last + 1, [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    const bool is_out = fold.is_out(me), has_partner = fold.has_partner(me);
    if (round == 0) {
      if (is_out) plan.sends.push_back({me + 1, whole(members), {}});
      if (has_partner) plan.receives.push_back({me - 1, 1});
    } else if (round == last) {
      if (is_out) plan.receives.push_back({me + 1, 0});
      if (has_partner) plan.sends.push_back({me - 1, for_targets({me - 1, 1, 1}, members), {}});
    } else if (!is_out) {
      const std::uint32_t distance = fold.power.value >> round;
      const std::uint32_t partner = fold.number(me) ^ distance;
      const Range theirs = fold.members_of(partner & ~(distance - 1), distance);
      plan.receives.push_back({fold.member(partner), 1});
      plan.sends.push_back({fold.member(partner), for_targets(theirs, members), {}});
    }
  });
}

// A part ends at the member whose number has reversed bits. That member sends it to the target.
SchedulePtr butterfly(const CollectiveShape& shape, const Parameters&) {
  const std::uint32_t members = shape.members;
  const Fold fold(members);
  const std::uint32_t steps = fold.power.exponent;
  const SchedulePtr last = planned(1, [=](std::uint32_t me, std::uint32_t, Round& plan) {
    const std::uint32_t holder = fold.member(first_part(fold, fold.number(me), steps));
    if (holder != me) plan.receives.push_back({holder, 0});
    if (fold.is_out(me)) return;
    const Range mine = fold.members_of(first_part(fold, fold.number(me), steps), 1);
    for (std::uint32_t target = mine.first; target < mine.first + mine.count; ++target)
      if (target != me) plan.sends.push_back({target, for_targets({target, 1, 1}, members), {}});
  });
  return sequence({halve_targets(members), last});
}

SchedulePtr pairwise(const CollectiveShape& shape, const Parameters&) {
  const std::uint32_t members = shape.members;
  return planned(members - 1, [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    const std::uint32_t to = (me + round + 1) % members;
    plan.receives.push_back({(me + members - round - 1) % members, 1});
    plan.sends.push_back({to, for_targets({to, 1, 1}, members), {}});
  });
}

SchedulePtr ring(const CollectiveShape& shape, const Parameters&) {
  const std::uint32_t members = shape.members;
  return planned(members - 1, [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    const std::uint32_t block = (me + 2 * members - round - 1) % members;
    plan.receives.push_back({(me + members - 1) % members, 1});
    plan.sends.push_back({(me + 1) % members, for_targets({block, 1, 1}, members), {}});
  });
}

// In each round a member sends all parts except those of its own group.
SchedulePtr recursive_doubling(const CollectiveShape& shape, const Parameters&) {
  const std::uint32_t members = shape.members;
  return planned(doublings(members), [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    const std::uint32_t distance = 1u << round, partner = me ^ distance;
    const std::uint32_t behind = (me & ~(distance - 1)) + distance;
    plan.receives.push_back({partner, 1});
    plan.sends.push_back({partner, for_targets({behind % members, members - distance, 1}, members), {}});
  });
}

constexpr Precondition commutative{.commutative = true};

template <CollectiveKind operation>
const Algorithm table[] = {
    {.operation = operation, .name = "nonoverlapping", .build = nonoverlapping},
    {.operation = operation, .name = "butterfly", .build = butterfly},
    {.operation = operation,
     .name = "recursive_halving",
     .needs = commutative,
     .otherwise = "butterfly",
     .build = recursive_halving},
    {.operation = operation, .name = "pairwise", .needs = commutative, .otherwise = "butterfly", .build = pairwise},
    {.operation = operation, .name = "ring", .needs = commutative, .otherwise = "butterfly", .build = ring},
    {.operation = operation,
     .name = "recursive_doubling",
     .needs = {.power_of_two = true},
     .otherwise = "butterfly",
     .build = recursive_doubling},
};

}  // namespace
}  // namespace reduce_scatter_family

std::span<const Algorithm> reduce_scatter_algorithms() {
  return reduce_scatter_family::table<CollectiveKind::reduce_scatter>;
}
std::span<const Algorithm> reduce_scatter_block_algorithms() {
  return reduce_scatter_family::table<CollectiveKind::reduce_scatter_block>;
}

}  // namespace rehearse::collective
