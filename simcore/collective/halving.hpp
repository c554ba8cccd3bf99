// SPDX-License-Identifier: MIT
//
// The parts of Rabenseifner's algorithm: the vector is halved while the distance doubles, so that each
// member ends with the combination of one part; and the ways to put the parts together again.
//
// Shape:  as many parts as the greatest power of two of members; after halve(), number n of the Fold has the part
//         whose bits are those of n in the other direction. Combinations are of consecutive members, so the order
//         of contributions is kept.
// Source: Rabenseifner, Optimization of collective reduction operations, 2004; Traff, An improved algorithm for
//         (non-commutative) reduce-scatter with an application, 2005 (the order of the parts).
#pragma once

#include "simcore/collective/rounds.hpp"

namespace rehearse::collective {

// First part that `number` still has after so many steps; it has power >> steps of them.
std::uint32_t first_part(const Fold& fold, std::uint32_t number, std::uint32_t steps);

SchedulePtr halve(std::uint32_t members);
SchedulePtr gather_halves(std::uint32_t members, std::uint32_t root);
SchedulePtr exchange_halves(std::uint32_t members);

// As halve(), where contributions have segments: the parts are the targets of each number of the Fold.
SchedulePtr halve_targets(std::uint32_t members);

}  // namespace rehearse::collective
