// SPDX-License-Identifier: MIT
//
// Barriers: messages without data travel until each member depends, directly or not, on the arrival of all.
//
// Source: Hensgen, Finkel, Manber, Two algorithms for barrier synchronization, 1988 (dissemination);
//         Mellor-Crummey, Scott, Algorithms for scalable synchronization, 1991 (tree).
#include "simcore/collective/algorithm.hpp"
#include "simcore/collective/trees.hpp"

namespace rehearse::collective {

namespace barrier_family {
namespace {

SchedulePtr up_and_down(const Tree& tree) { return sequence({combine_up(tree, 0, {}, true), send_down(tree, 0, {})}); }

SchedulePtr linear(const CollectiveShape& shape, const Parameters&) {
  return up_and_down(Tree(TreeKind::linear, shape.members));
}

SchedulePtr tree(const CollectiveShape& shape, const Parameters&) {
  return up_and_down(Tree(TreeKind::knomial, shape.members, 2));
}

// A token travels around the ring twice.
SchedulePtr double_ring(const CollectiveShape& shape, const Parameters&) {
  const std::uint32_t members = shape.members;
  return planned(members > 1 ? 4 : 0, [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    const bool sends = (round % 2 == 0) == (me == 0);
    if (sends) plan.sends.push_back({(me + 1) % members, {}, {}});
    else plan.receives.push_back({(me + members - 1) % members, 0});
  });
}

SchedulePtr dissemination(const CollectiveShape& shape, const Parameters&) {
  const std::uint32_t members = shape.members;
  return planned(doublings(members), [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    const std::uint32_t distance = (1u << round) % members;
    plan.sends.push_back({(me + distance) % members, {}, {}});
    plan.receives.push_back({(me + members - distance) % members, 0});
  });
}

SchedulePtr recursive_doubling(const CollectiveShape& shape, const Parameters&) {
  const Fold fold(shape.members);
  const std::uint32_t last = fold.power.exponent + 1;
  return planned(last + 1, [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    const auto exchange = [&](std::uint32_t other, bool sends, bool receives) {
      if (receives) plan.receives.push_back({other, 0});
      if (sends) plan.sends.push_back({other, {}, {}});
    };
    const bool is_out = fold.is_out(me);
    if (round > 0 && round < last) {
      if (!is_out) exchange(fold.member(fold.number(me) ^ (1u << (round - 1))), true, true);
    } else if (is_out) {
      exchange(me + 1, round == 0, round == last);
    } else if (fold.has_partner(me)) {
      exchange(me - 1, round == last, round == 0);
    }
  });
}

constexpr CollectiveKind barrier = CollectiveKind::barrier;

const Algorithm algorithms[] = {
    {.operation = barrier, .name = "dissemination", .build = dissemination},
    {.operation = barrier, .name = "recursive_doubling", .build = recursive_doubling},
    {.operation = barrier, .name = "linear", .build = linear},
    {.operation = barrier, .name = "tree", .build = tree},
    {.operation = barrier, .name = "double_ring", .build = double_ring},
    {.operation = barrier,
     .name = "two_proc",
     .needs = {.least_members = 2, .most_members = 2},
     .otherwise = "dissemination",
     .build = dissemination},
};

}  // namespace
}  // namespace barrier_family

std::span<const Algorithm> barrier_algorithms() { return barrier_family::algorithms; }

}  // namespace rehearse::collective
