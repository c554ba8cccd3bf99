// SPDX-License-Identifier: MIT
//
// Each member sends a block to each member.
//
// Source: Bruck, Ho, Kipnis, Upfal, Weathersby, Efficient algorithms for all-to-all communications, 1997; Thakur,
//         Rabenseifner, Gropp, 2005 (pairwise exchange); Hensley et al., message combining on meshes.
#include <algorithm>

#include "simcore/collective/algorithm.hpp"

namespace rehearse::collective {

namespace alltoall_family {
namespace {

void exchange(std::uint32_t me, std::uint32_t to, std::uint32_t from, Round& plan) {
  plan.receives.push_back({from, 0});
  plan.sends.push_back({to, {{me, 1, 1}, {to, 1, 1}}, {}});
}

// At most `window` exchanges at a time.
SchedulePtr windows(std::uint32_t members, std::uint32_t window) {
  const std::uint32_t others = members - 1;
  if (window == 0) window = std::max(others, 1u);
  return planned((others + window - 1) / window, [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    const std::uint32_t first = 1 + round * window;
    for (std::uint32_t i = first; i < std::min(first + window, members); ++i)
      exchange(me, (me + i) % members, (me + members - i) % members, plan);
  });
}

SchedulePtr linear(const CollectiveShape& shape, const Parameters&) { return windows(shape.members, 0); }
SchedulePtr linear_sync(const CollectiveShape& shape, const Parameters& parameters) {
  return windows(shape.members, parameters.window);
}
SchedulePtr pairwise(const CollectiveShape& shape, const Parameters&) { return windows(shape.members, 1); }

SchedulePtr pairwise_xor(const CollectiveShape& shape, const Parameters&) {
  return planned(shape.members - 1, [](std::uint32_t me, std::uint32_t round, Round& plan) {
    exchange(me, me ^ (round + 1), me ^ (round + 1), plan);
  });
}

// A block travels the distance to its target in steps of powers of two, one for each bit of the distance. In the round
// of bit b, a member sends blocks of the members up to 2^b - 1 before it; for the farthest target only of some.
SchedulePtr bruck(const CollectiveShape& shape, const Parameters&) {
  const std::uint32_t members = shape.members;
  return planned(doublings(members), [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    const std::uint32_t bit = 1u << round;
    const std::uint32_t whole = members / (2 * bit);
    const std::uint32_t farthest = bit + whole * 2 * bit;  // its distance from `me`
    ScheduledSend send{(me + bit) % members, {}, {}};
    send.payload.origins = {(me + members - (bit - 1)) % members, bit, 1};
    send.payload.targets = {(me + bit) % members, whole, 2 * bit};
    if (farthest < members) {
      const std::uint32_t few = members - farthest;
      send.more.origins = {(me + members - (few - 1)) % members, few, 1};
      send.more.targets = {(me + farthest) % members, 1, 1};
    }
    if (whole == 0) std::swap(send.payload, send.more);
    plan.receives.push_back({(me + members - bit) % members, 0});
    plan.sends.push_back(send);
  });
}

// Blocks travel along one dimension after another, until all coordinates are those of the target.
SchedulePtr mesh(const CollectiveShape& shape, std::uint32_t dimensions) {
  return planned(dimensions,
                 [mesh = Mesh(shape.members, dimensions)](std::uint32_t me, std::uint32_t dimension, Round& plan) {
                   const std::uint32_t side = mesh.sides[dimension];
                   for (std::uint32_t i = 1; i < side; ++i) {
                     const std::uint32_t there = mesh.other(me, dimension, i);
                     plan.receives.push_back({mesh.other(me, dimension, side - i), 0});
                     plan.sends.push_back({there, {mesh.below(me, dimension), mesh.beyond(there, dimension)}, {}});
                   }
                 });
}
SchedulePtr mesh_2d(const CollectiveShape& shape, const Parameters&) { return mesh(shape, 2); }
SchedulePtr mesh_3d(const CollectiveShape& shape, const Parameters&) { return mesh(shape, 3); }

constexpr Precondition pair{.least_members = 2, .most_members = 2};

template <CollectiveKind operation>
const Algorithm table[] = {
    {.operation = operation, .name = "pairwise", .build = pairwise},
    {.operation = operation,
     .name = "pairwise_xor",
     .needs = {.power_of_two = true},
     .otherwise = "pairwise",
     .build = pairwise_xor},
    {.operation = operation, .name = "linear", .build = linear},
    {.operation = operation,
     .name = "linear_sync",
     .defaults = {.window = 32},
     .has_window = true,
     .build = linear_sync},
    {.operation = operation, .name = "two_proc", .needs = pair, .otherwise = "pairwise", .build = pairwise},
    {.operation = operation, .name = "bruck", .build = bruck},
    {.operation = operation, .name = "mesh_2d", .needs = {.mesh = 2}, .otherwise = "pairwise", .build = mesh_2d},
    {.operation = operation, .name = "mesh_3d", .needs = {.mesh = 3}, .otherwise = "pairwise", .build = mesh_3d},
};

}  // namespace
}  // namespace alltoall_family

std::span<const Algorithm> alltoall_algorithms() { return alltoall_family::table<CollectiveKind::alltoall>; }
std::span<const Algorithm> alltoallv_algorithms() { return alltoall_family::table<CollectiveKind::alltoallv>; }

}  // namespace rehearse::collective
