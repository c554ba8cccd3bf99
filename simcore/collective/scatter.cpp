// SPDX-License-Identifier: MIT
//
// Scatters the segments of one member.
//
// Source: Pjesivac-Grbovic et al., Performance analysis of collective operations, 2007.
#include "simcore/collective/algorithm.hpp"
#include "simcore/collective/trees.hpp"

namespace rehearse::collective {

namespace scatter_family {
namespace {

void send_segment(const CollectiveShape& shape, std::uint32_t i, Round& plan) {
  const std::uint32_t target = (shape.root + 1 + i) % shape.members;
  plan.sends.push_back({target, {{shape.root, 1, 1}, {target, 1, 1}}, {}});
}

SchedulePtr linear(const CollectiveShape& shape, const Parameters&) {
  return planned(shape.members - 1, [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    if (me == shape.root) send_segment(shape, round, plan);
    else if (round == 0) plan.receives.push_back({shape.root, 0});
  });
}

SchedulePtr linear_nonblocking(const CollectiveShape& shape, const Parameters&) {
  return planned(shape.members > 1, [=](std::uint32_t me, std::uint32_t, Round& plan) {
    if (me != shape.root) return plan.receives.push_back({shape.root, 0});
    for (std::uint32_t i = 0; i + 1 < shape.members; ++i) send_segment(shape, i, plan);
  });
}

SchedulePtr binomial(const CollectiveShape& shape, const Parameters&) {
  return scatter_down(Tree(TreeKind::knomial, shape.members, 2), shape.root);
}

SchedulePtr knomial(const CollectiveShape& shape, const Parameters& parameters) {
  return scatter_down(Tree(TreeKind::knomial, shape.members, parameters.radix), shape.root);
}

constexpr CollectiveKind scatter = CollectiveKind::scatter;
constexpr CollectiveKind scatterv = CollectiveKind::scatterv;

const Algorithm algorithms[] = {
    {.operation = scatter, .name = "binomial", .build = binomial},
    {.operation = scatter, .name = "knomial", .defaults = {.radix = 4}, .has_radix = true, .build = knomial},
    {.operation = scatter, .name = "linear", .build = linear},
    {.operation = scatter, .name = "linear_nonblocking", .build = linear_nonblocking},
    {.operation = scatterv, .name = "linear", .build = linear},
    {.operation = scatterv, .name = "linear_nonblocking", .build = linear_nonblocking},
    {.operation = scatterv, .name = "binomial", .build = binomial},
    {.operation = scatterv, .name = "knomial", .defaults = {.radix = 4}, .has_radix = true, .build = knomial},
};

}  // namespace
}  // namespace scatter_family

std::span<const Algorithm> scatter_algorithms() { return scatter_family::algorithms; }

}  // namespace rehearse::collective
