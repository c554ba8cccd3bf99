// SPDX-License-Identifier: MIT
//
// See halving.hpp.
#include "simcore/collective/halving.hpp"

namespace rehearse::collective {

namespace {

Payload parts_of(const Fold& fold, std::uint32_t members, std::uint32_t first, std::uint32_t count) {
  return part(whole(members), {first, count, 1}, fold.power.value);
}

// In round 0 the members outside the fold give their vectors away; then all others halve. `payload_of(first, count)`.
template <class PayloadOf>
SchedulePtr halving(std::uint32_t members, PayloadOf payload_of) {
  const Fold fold(members);
  return planned(fold.power.exponent + 1, [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    if (round == 0) {
      if (fold.is_out(me)) plan.sends.push_back({me + 1, payload_of(0, fold.power.value), {}});
      if (fold.has_partner(me)) plan.receives.push_back({me - 1, 1});
      return;
    }
    if (fold.is_out(me)) return;
    const std::uint32_t number = fold.number(me), step = round - 1;
    const std::uint32_t partner = number ^ (1u << step);
    plan.receives.push_back({fold.member(partner), 1});
    plan.sends.push_back(
        {fold.member(partner), payload_of(first_part(fold, partner, round), fold.power.value >> round), {}});
  });
}

}  // namespace

std::uint32_t first_part(const Fold& fold, std::uint32_t number, std::uint32_t steps) {
  std::uint32_t first = 0;
  for (std::uint32_t step = 0; step < steps; ++step)
    if (number >> step & 1) first += fold.power.value >> (step + 1);
  return first;
}

SchedulePtr halve(std::uint32_t members) {
  const Fold fold(members);
  return halving(members,
                 [=](std::uint32_t first, std::uint32_t count) { return parts_of(fold, members, first, count); });
}

SchedulePtr halve_targets(std::uint32_t members) {
  const Fold fold(members);
  return halving(members, [=](std::uint32_t first, std::uint32_t count) {
    return for_targets(fold.members_of(first, count), members);
  });
}

// Repeats the steps in reverse order; then the members outside the fold get the whole vector.
SchedulePtr exchange_halves(std::uint32_t members) {
  const Fold fold(members);
  const std::uint32_t last = fold.power.exponent;
  return planned(last + 1, [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    if (round == last) {
      if (fold.is_out(me)) plan.receives.push_back({me + 1, 0});
      if (fold.has_partner(me)) plan.sends.push_back({me - 1, parts_of(fold, members, 0, fold.power.value), {}});
      return;
    }
    if (fold.is_out(me)) return;
    const std::uint32_t number = fold.number(me), step = last - 1 - round;
    const std::uint32_t partner = fold.member(number ^ (1u << step));
    plan.receives.push_back({partner, 0});
    plan.sends.push_back(
        {partner, parts_of(fold, members, first_part(fold, number, step + 1), fold.power.value >> (step + 1)), {}});
  });
}

// As exchange_halves, but only towards the root, or the member that stands for it.
SchedulePtr gather_halves(std::uint32_t members, std::uint32_t root) {
  const Fold fold(members);
  const std::uint32_t last = fold.power.exponent;
  return planned(last + 1, [=](std::uint32_t me, std::uint32_t round, Round& plan) {
    if (round == last) {
      if (!fold.is_out(root)) return;
      if (me == root) plan.receives.push_back({root + 1, 0});
      if (me == root + 1) plan.sends.push_back({root, parts_of(fold, members, 0, fold.power.value), {}});
      return;
    }
    if (fold.is_out(me)) return;
    const std::uint32_t number = fold.number(me), step = last - 1 - round;
    const std::uint32_t away = number ^ fold.number(root);
    if (away >> (step + 1) != 0) return;  // has sent its parts
    const std::uint32_t partner = fold.member(number ^ (1u << step));
    if (away >> step & 1)
      plan.sends.push_back(
          {partner, parts_of(fold, members, first_part(fold, number, step + 1), fold.power.value >> (step + 1)), {}});
    else plan.receives.push_back({partner, 0});
  });
}

}  // namespace rehearse::collective
