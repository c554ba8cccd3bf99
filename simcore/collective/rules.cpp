// SPDX-License-Identifier: MIT
//
// Choosing by rules. See rules.hpp.
#include "simcore/collective/rules.hpp"

namespace rehearse::collective {

std::uint64_t bytes_for_choice(const CollectiveShape& shape) {
  switch (shape.kind) {
    case CollectiveKind::alltoall:
    case CollectiveKind::alltoallv:
    case CollectiveKind::scatter:
    case CollectiveKind::scatterv: return shape.bytes / shape.members;
    case CollectiveKind::allgatherv: return shape.total_bytes > 0 ? shape.total_bytes / shape.members : shape.bytes;
    default: return shape.bytes;
  }
}

namespace {

bool fits(const Condition& condition, const CollectiveShape& shape) {
  switch (condition.kind) {
    case Condition::Kind::members_below: return shape.members < condition.number;
    case Condition::Kind::members_above: return shape.members > condition.number;
    case Condition::Kind::power_of_two: return holds({.power_of_two = true}, shape);
    case Condition::Kind::commutative: return shape.is_commutative;
    case Condition::Kind::noncommutative: return !shape.is_commutative;
    case Condition::Kind::shared_hosts: return holds({.shared_hosts = true}, shape);
  }
  return false;
}

bool fits(const Bound& bound, const CollectiveShape& shape) {
  using Wide = unsigned __int128;
  Wide bytes = bytes_for_choice(shape), limit = bound.bytes;
  if (bound.scale == Bound::Scale::times_members) limit *= shape.members;
  if (bound.scale == Bound::Scale::by_members) bytes *= shape.members;
  return bound.is_inclusive ? bytes <= limit : bytes < limit;
}

bool fits(const Rule& rule, const CollectiveShape& shape) {
  for (const Condition& condition : rule.conditions)
    if (!fits(condition, shape)) return false;
  return true;
}

}  // namespace

std::optional<Chosen> choose(const Rules& rules, const CollectiveShape& shape) {
  const auto found = rules.by_operation.find(shape.kind);
  if (found == rules.by_operation.end()) return std::nullopt;
  for (const Rule& rule : found->second) {
    if (!fits(rule, shape)) continue;
    for (const Choice& choice : rule.choices) {
      if (choice.bound && !fits(*choice.bound, shape)) continue;
      const Algorithm& algorithm = working(*choice.algorithm, shape);
      const bool is_chosen = &algorithm == choice.algorithm;
      return Chosen{&algorithm, is_chosen ? choice.parameters : algorithm.defaults};
    }
  }
  return std::nullopt;
}

}  // namespace rehearse::collective
