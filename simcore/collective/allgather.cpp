// SPDX-License-Identifier: MIT
//
// Gathers the blocks of all members at all members.
//
// Source: Bruck, Ho, Kipnis, Upfal, Weathersby, Efficient algorithms for all-to-all communications, 1997; Chen et
//         al., Performance evaluation of allgather algorithms on terascale Linux cluster with fast Ethernet, 2005
//         (neighbour exchange); Thakur, Rabenseifner, Gropp, 2005 (ring, recursive doubling).
#include <algorithm>

#include "simcore/collective/algorithm.hpp"
#include "simcore/collective/trees.hpp"

namespace rehearse::collective {

namespace allgather_family {
namespace {

Payload blocks(Range origins, std::uint32_t members) { return {origins, {0, members, 1}}; }

// The first member gathers all blocks and broadcasts them.
SchedulePtr linear(const CollectiveShape& shape, const Parameters&) {
  const std::uint32_t members = shape.members;
  const SchedulePtr gather = planned(members - 1, [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    if (me == 0) plan.receives.push_back({round + 1, 0});
    else if (round == 0) plan.sends.push_back({0, of_origin(me, members), {}});
  });
  return sequence({gather, send_down(Tree(TreeKind::linear, members), 0, whole(members))});
}

SchedulePtr gather_broadcast(const CollectiveShape& shape, const Parameters&) {
  const Tree tree(TreeKind::knomial, shape.members, 2);
  return sequence({gather_up(tree, 0), send_down(tree, 0, whole(shape.members))});
}

SchedulePtr bruck(const CollectiveShape& shape, const Parameters&) {
  const std::uint32_t members = shape.members;
  return planned(doublings(members), [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    const std::uint32_t distance = 1u << round;
    const Range has{me, std::min(distance, members - distance), 1};
    plan.receives.push_back({(me + distance) % members, 0});
    plan.sends.push_back({(me + members - distance) % members, blocks(has, members), {}});
  });
}

SchedulePtr recursive_doubling(const CollectiveShape& shape, const Parameters&) {
  const std::uint32_t members = shape.members;
  return planned(doublings(members), [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    const std::uint32_t distance = 1u << round, partner = me ^ distance;
    const Range has{me & ~(distance - 1), distance, 1};
    plan.receives.push_back({partner, 0});
    plan.sends.push_back({partner, blocks(has, members), {}});
  });
}

SchedulePtr ring(const CollectiveShape& shape, const Parameters&) {
  const std::uint32_t members = shape.members;
  return planned(members - 1, [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    plan.receives.push_back({(me + members - 1) % members, 0});
    plan.sends.push_back({(me + 1) % members, of_origin((me + members - round) % members, members), {}});
  });
}

// Pairs exchange their blocks. Then each member passes the blocks received last to its two neighbours in turn.
SchedulePtr neighbor_exchange(const CollectiveShape& shape, const Parameters&) {
  const std::uint32_t members = shape.members;
  return planned(members / 2, [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    const bool is_even = me % 2 == 0;
    const bool to_right = is_even == (round % 2 == 0);
    const std::uint32_t partner = (me + (to_right ? 1 : members - 1)) % members;
    Range has{me, 1, 1};
    if (round == 1) has = {is_even ? me : me - 1, 2, 1};
    // The pair of blocks received in the previous round.
    const std::uint32_t before = round - 1;
    const bool came_from_right = is_even == (before % 2 == 0);
    if (round > 1) has = {(came_from_right ? me + before : me + members - before - 1) % members, 2, 1};
    plan.receives.push_back({partner, 0});
    plan.sends.push_back({partner, blocks(has, members), {}});
  });
}

// Along the rows, then whole rows along the columns, and so on.
SchedulePtr mesh(const CollectiveShape& shape, std::uint32_t dimensions) {
  return planned(dimensions, [mesh = Mesh(shape.members, dimensions)](std::uint32_t me, std::uint32_t dimension,
                                                                      Round& plan) {
    const std::uint32_t side = mesh.sides[dimension];
    for (std::uint32_t i = 1; i < side; ++i) {
      plan.receives.push_back({mesh.other(me, dimension, side - i), 0});
      plan.sends.push_back({mesh.other(me, dimension, i), blocks(mesh.below(me, dimension), mesh.strides.back()), {}});
    }
  });
}
SchedulePtr mesh_2d(const CollectiveShape& shape, const Parameters&) { return mesh(shape, 2); }
SchedulePtr mesh_3d(const CollectiveShape& shape, const Parameters&) { return mesh(shape, 3); }

// All members send to all others at once.
SchedulePtr linear_nonblocking(const CollectiveShape& shape, const Parameters&) {
  const std::uint32_t members = shape.members;
  return planned(members > 1, [=](std::uint32_t me, std::uint32_t, Round& plan) {
    for (std::uint32_t i = 1; i < members; ++i) {
      plan.receives.push_back({(me + members - i) % members, 0});
      plan.sends.push_back({(me + i) % members, of_origin(me, members), {}});
    }
  });
}

// The algorithms are the same for allgather and allgatherv.
template <CollectiveKind operation>
const Algorithm table[] = {
    {.operation = operation, .name = "bruck", .build = bruck},
    {.operation = operation, .name = "linear", .build = linear},
    {.operation = operation, .name = "linear_nonblocking", .build = linear_nonblocking},
    {.operation = operation, .name = "gather_broadcast", .build = gather_broadcast},
    {.operation = operation,
     .name = "recursive_doubling",
     .needs = {.power_of_two = true},
     .otherwise = "bruck",
     .build = recursive_doubling},
    {.operation = operation, .name = "ring", .build = ring},
    {.operation = operation,
     .name = "neighbor_exchange",
     .needs = {.even = true},
     .otherwise = "ring",
     .build = neighbor_exchange},
    {.operation = operation, .name = "mesh_2d", .needs = {.mesh = 2}, .otherwise = "ring", .build = mesh_2d},
    {.operation = operation, .name = "mesh_3d", .needs = {.mesh = 3}, .otherwise = "ring", .build = mesh_3d},
    {.operation = operation,
     .name = "two_proc",
     .needs = {.least_members = 2, .most_members = 2},
     .otherwise = "bruck",
     .build = recursive_doubling},
};

}  // namespace
}  // namespace allgather_family

std::span<const Algorithm> allgather_algorithms() { return allgather_family::table<CollectiveKind::allgather>; }
std::span<const Algorithm> allgatherv_algorithms() { return allgather_family::table<CollectiveKind::allgatherv>; }

}  // namespace rehearse::collective
