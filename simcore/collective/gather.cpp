// SPDX-License-Identifier: MIT
//
// Gathers the blocks of all members at one member.
//
// Source: Pjesivac-Grbovic et al., Performance analysis of collective operations, 2007.
#include "simcore/collective/algorithm.hpp"
#include "simcore/collective/trees.hpp"

namespace rehearse::collective {

namespace gather_family {
namespace {

// The i-th other member, counted from the root.
std::uint32_t other(const CollectiveShape& shape, std::uint32_t i) { return (shape.root + 1 + i) % shape.members; }

// The root sends no requests, and receives the blocks one after the other.
SchedulePtr linear(const CollectiveShape& shape, const Parameters&) {
  return planned(shape.members - 1, [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    if (me == shape.root) plan.receives.push_back({other(shape, round), 0});
    else if (round == 0) plan.sends.push_back({shape.root, of_origin(me, shape.members), {}});
  });
}

SchedulePtr linear_nonblocking(const CollectiveShape& shape, const Parameters&) {
  return planned(shape.members > 1, [=](std::uint32_t me, std::uint32_t, Round& plan) {
    if (me != shape.root) return plan.sends.push_back({shape.root, of_origin(me, shape.members), {}});
    for (std::uint32_t i = 0; i + 1 < shape.members; ++i) plan.receives.push_back({other(shape, i), 0});
  });
}

// A member sends its block after a request of the root.
SchedulePtr linear_sync(const CollectiveShape& shape, const Parameters&) {
  return planned(shape.members > 1 ? shape.members : 0, [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    if (me == shape.root && round + 1 < shape.members) {
      plan.receives.push_back({other(shape, round), 0});
      plan.sends.push_back({other(shape, round), {}, {}});
    }
    if (me != shape.root && round == 0) plan.receives.push_back({shape.root, 0});
    if (me != shape.root && round == 1) plan.sends.push_back({shape.root, of_origin(me, shape.members), {}});
  });
}

SchedulePtr binomial(const CollectiveShape& shape, const Parameters&) {
  return gather_up(Tree(TreeKind::knomial, shape.members, 2), shape.root);
}

SchedulePtr knomial(const CollectiveShape& shape, const Parameters& parameters) {
  return gather_up(Tree(TreeKind::knomial, shape.members, parameters.radix), shape.root);
}

constexpr CollectiveKind gather = CollectiveKind::gather;
constexpr CollectiveKind gatherv = CollectiveKind::gatherv;

const Algorithm algorithms[] = {
    {.operation = gather, .name = "binomial", .build = binomial},
    {.operation = gather, .name = "knomial", .defaults = {.radix = 4}, .has_radix = true, .build = knomial},
    {.operation = gather, .name = "linear", .build = linear},
    {.operation = gather, .name = "linear_nonblocking", .build = linear_nonblocking},
    {.operation = gather, .name = "linear_sync", .build = linear_sync},
    {.operation = gatherv, .name = "linear", .build = linear},
    {.operation = gatherv, .name = "linear_nonblocking", .build = linear_nonblocking},
    {.operation = gatherv, .name = "binomial", .build = binomial},
    {.operation = gatherv, .name = "knomial", .defaults = {.radix = 4}, .has_radix = true, .build = knomial},
};

}  // namespace
}  // namespace gather_family

std::span<const Algorithm> gather_algorithms() { return gather_family::algorithms; }

}  // namespace rehearse::collective
