// SPDX-License-Identifier: MIT
//
// Prefixes: each member gets the contributions of those before it, or their combination.
//
// Source: Hillis, Steele, Data parallel algorithms, 1986; Sanders, Traff, Parallel prefix (scan) algorithms, 2006.
#include <algorithm>

#include "simcore/collective/algorithm.hpp"

namespace rehearse::collective {

namespace scan_family {
namespace {

Payload blocks(std::uint32_t first, std::uint32_t count, std::uint32_t members) {
  return {{first, count, 1}, {0, members, 1}};
}

SchedulePtr linear(const CollectiveShape& shape, const Parameters&) {
  const std::uint32_t members = shape.members;
  return planned(members > 1 ? 2 : 0, [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    if (round == 0 && me > 0) plan.receives.push_back({me - 1, 1});
    if (round == 1 && me + 1 < members) plan.sends.push_back({me + 1, blocks(0, me + 1, members), {}});
  });
}

// In each round a member sends its prefix so far to a member at double the distance.
SchedulePtr hillis_steele(const CollectiveShape& shape, const Parameters&) {
  const std::uint32_t members = shape.members;
  return planned(doublings(members), [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    const std::uint32_t distance = 1u << round, has = std::min(distance, me + 1);
    if (me >= distance) plan.receives.push_back({me - distance, 1});
    if (me + distance < members) plan.sends.push_back({me + distance, blocks(me + 1 - has, has, members), {}});
  });
}

// Groups of double size exchange their sums. A member combines sums of earlier members with its prefix, too.
SchedulePtr recursive_doubling(const CollectiveShape& shape, const Parameters&) {
  const std::uint32_t members = shape.members;
  return planned(doublings(members), [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    const std::uint32_t distance = 1u << round, partner = me ^ distance;
    if (partner >= members) return;
    const std::uint32_t first = me & ~(distance - 1);
    plan.receives.push_back({partner, partner < me ? 2u : 1u});
    // The last group may be incomplete. No earlier member needs its sums.
    const bool is_full = first + distance <= members;
    plan.sends.push_back({partner, is_full ? blocks(first, distance, members) : blocks(me, 1, members), {}});
  });
}

constexpr CollectiveKind scan = CollectiveKind::scan;
constexpr CollectiveKind exscan = CollectiveKind::exscan;

const Algorithm algorithms[] = {
    {.operation = scan, .name = "hillis_steele", .build = hillis_steele},
    {.operation = scan, .name = "recursive_doubling", .build = recursive_doubling},
    {.operation = scan, .name = "linear", .build = linear},
    {.operation = exscan, .name = "hillis_steele", .build = hillis_steele},
    {.operation = exscan, .name = "recursive_doubling", .build = recursive_doubling},
    {.operation = exscan, .name = "linear", .build = linear},
};

}  // namespace
}  // namespace scan_family

std::span<const Algorithm> scan_algorithms() { return scan_family::algorithms; }

}  // namespace rehearse::collective
