// SPDX-License-Identifier: MIT
//
// Reductions to one member. If the operator does not commute, trees of consecutive members are counted from
// member 0, and the result continues to the root.
//
// Source: Pjesivac-Grbovic et al., Performance analysis of collective operations, 2007; Rabenseifner, Optimization
//         of collective reduction operations, 2004.
#include "simcore/collective/algorithm.hpp"
#include "simcore/collective/halving.hpp"
#include "simcore/collective/trees.hpp"

namespace rehearse::collective {

namespace reduce_family {
namespace {

SchedulePtr up(const CollectiveShape& shape, const Parameters& parameters, const Tree& tree) {
  return combine_up(tree, shape.root, whole(shape.members), !shape.is_commutative,
                    segments_of(shape, shape.bytes, parameters));
}

SchedulePtr linear(const CollectiveShape& shape, const Parameters& parameters) {
  return up(shape, parameters, Tree(TreeKind::linear, shape.members));
}
SchedulePtr chain(const CollectiveShape& shape, const Parameters& parameters) {
  return up(shape, parameters, Tree(TreeKind::chain, shape.members, parameters.radix));
}
SchedulePtr pipeline(const CollectiveShape& shape, const Parameters& parameters) {
  return up(shape, parameters, Tree(TreeKind::chain, shape.members, 1));
}
SchedulePtr binary(const CollectiveShape& shape, const Parameters& parameters) {
  return up(shape, parameters, Tree(TreeKind::binary, shape.members));
}
SchedulePtr binomial(const CollectiveShape& shape, const Parameters& parameters) {
  return up(shape, parameters, Tree(TreeKind::knomial, shape.members, 2));
}
SchedulePtr knomial(const CollectiveShape& shape, const Parameters& parameters) {
  return up(shape, parameters, Tree(TreeKind::knomial, shape.members, parameters.radix));
}
SchedulePtr in_order_binary(const CollectiveShape& shape, const Parameters& parameters) {
  return combine_up(Tree(TreeKind::in_order_binary, shape.members), shape.root, whole(shape.members), true,
                    segments_of(shape, shape.bytes, parameters));
}
SchedulePtr rabenseifner(const CollectiveShape& shape, const Parameters&) {
  return sequence({halve(shape.members), gather_halves(shape.members, shape.root)});
}

constexpr CollectiveKind reduce = CollectiveKind::reduce;

const Algorithm algorithms[] = {
    {.operation = reduce, .name = "binomial", .has_segment = true, .build = binomial},
    {.operation = reduce,
     .name = "knomial",
     .defaults = {.radix = 4},
     .has_segment = true,
     .has_radix = true,
     .build = knomial},
    {.operation = reduce, .name = "linear", .build = linear},
    {.operation = reduce,
     .name = "chain",
     .defaults = {.segment = 65536, .radix = 4},
     .has_segment = true,
     .has_radix = true,
     .build = chain},
    {.operation = reduce, .name = "pipeline", .defaults = {.segment = 65536}, .has_segment = true, .build = pipeline},
    {.operation = reduce,
     .name = "binary",
     .needs = {.commutative = true},
     .otherwise = "in_order_binary",
     .defaults = {.segment = 32768},
     .has_segment = true,
     .build = binary},
    {.operation = reduce, .name = "in_order_binary", .has_segment = true, .build = in_order_binary},
    {.operation = reduce,
     .name = "rabenseifner",
     .needs = {.commutative = true, .elements = Elements::at_least_power},
     .otherwise = "binomial",
     .build = rabenseifner},
};

}  // namespace
}  // namespace reduce_family

std::span<const Algorithm> reduce_algorithms() { return reduce_family::algorithms; }

}  // namespace rehearse::collective
