// SPDX-License-Identifier: MIT
//
// Reductions with the result at all members.
//
// Source: Thakur, Rabenseifner, Gropp, Optimization of collective communication operations, 2005; Patarasuk, Yuan,
//         Bandwidth optimal all-reduce algorithms for clusters of workstations, 2009 (ring).
#include "simcore/collective/algorithm.hpp"
#include "simcore/collective/halving.hpp"
#include "simcore/collective/trees.hpp"

namespace rehearse::collective {

namespace allreduce_family {
namespace {

SchedulePtr up_and_down(const CollectiveShape& shape, const Tree& tree) {
  const Payload payload = whole(shape.members);
  return sequence({combine_up(tree, 0, payload, true), send_down(tree, 0, payload)});
}

SchedulePtr linear(const CollectiveShape& shape, const Parameters&) {
  return up_and_down(shape, Tree(TreeKind::linear, shape.members));
}

SchedulePtr nonoverlapping(const CollectiveShape& shape, const Parameters&) {
  return up_and_down(shape, Tree(TreeKind::knomial, shape.members, 2));
}

SchedulePtr recursive_doubling(const CollectiveShape& shape, const Parameters&) {
  const Fold fold(shape.members);
  const Payload payload = whole(shape.members);
  const std::uint32_t last = fold.power.exponent + 1;
  return planned(last + 1, [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    const bool is_out = fold.is_out(me);
    if (round > 0 && round < last) {
      if (is_out) return;
      const std::uint32_t partner = fold.member(fold.number(me) ^ (1u << (round - 1)));
      plan.receives.push_back({partner, 1});
      plan.sends.push_back({partner, payload, {}});
      return;
    }
    const bool gives_away = round == 0;
    if (is_out && gives_away) plan.sends.push_back({me + 1, payload, {}});
    if (is_out && !gives_away) plan.receives.push_back({me + 1, 0});
    if (!fold.has_partner(me)) return;
    if (gives_away) plan.receives.push_back({me - 1, 1});
    else plan.sends.push_back({me - 1, payload, {}});
  });
}

// The blocks travel around the ring twice: first to be combined, then to be distributed. In the first tour, the
// segments of a block travel one after another.
SchedulePtr ring_of(std::uint32_t members, std::uint32_t segments) {
  const std::uint32_t tour = members - 1;
  return planned(tour * (segments + 1), [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    const bool combines = round < tour * segments;
    const std::uint32_t step = round % tour;
    const std::uint32_t block = (me + (combines ? members : members + 1) - step) % members;
    const Range parts = combines ? Range{block * segments + round / tour, 1, 1} : Range{block * segments, segments, 1};
    plan.receives.push_back({(me + members - 1) % members, combines ? 1u : 0u});
    plan.sends.push_back({(me + 1) % members, part(whole(members), parts, members * segments), {}});
  });
}

SchedulePtr ring(const CollectiveShape& shape, const Parameters&) { return ring_of(shape.members, 1); }

SchedulePtr segmented_ring(const CollectiveShape& shape, const Parameters& parameters) {
  return ring_of(shape.members, segments_of(shape, shape.bytes / shape.members, parameters));
}

SchedulePtr rabenseifner(const CollectiveShape& shape, const Parameters&) {
  return sequence({halve(shape.members), exchange_halves(shape.members)});
}

constexpr CollectiveKind allreduce = CollectiveKind::allreduce;
constexpr Precondition divisible{.commutative = true, .elements = Elements::at_least_members};

const Algorithm algorithms[] = {
    {.operation = allreduce, .name = "recursive_doubling", .build = recursive_doubling},
    {.operation = allreduce, .name = "linear", .build = linear},
    {.operation = allreduce, .name = "nonoverlapping", .build = nonoverlapping},
    {.operation = allreduce, .name = "ring", .needs = divisible, .otherwise = "recursive_doubling", .build = ring},
    {.operation = allreduce,
     .name = "segmented_ring",
     .needs = divisible,
     .otherwise = "recursive_doubling",
     .defaults = {.segment = 1048576},
     .has_segment = true,
     .build = segmented_ring},
    {.operation = allreduce,
     .name = "rabenseifner",
     .needs = {.commutative = true, .elements = Elements::at_least_power},
     .otherwise = "recursive_doubling",
     .build = rabenseifner},
};

}  // namespace
}  // namespace allreduce_family

std::span<const Algorithm> allreduce_algorithms() { return allreduce_family::algorithms; }

}  // namespace rehearse::collective
