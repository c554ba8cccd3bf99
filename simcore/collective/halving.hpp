// SPDX-License-Identifier: MIT
//
// The parts of Rabenseifner's algorithm. First the vector is halved while the distance doubles, so that each member
// has the combination of one part. Then the parts are gathered at one member or at all.
//
// Shape:  the number of parts is the greatest power of two within members. After halve(), number n of the Fold has the
//         part whose index is n with reversed bits. Combinations are of consecutive members, so the order of
//         contributions is kept.
// Source: Rabenseifner, Optimization of collective reduction operations, 2004; Traff, An improved algorithm for
//         (non-commutative) reduce-scatter with an application, 2005 (the order of the parts).
#pragma once

#include "simcore/collective/rounds.hpp"

namespace rehearse::collective {

// The first part that `number` still has after this number of steps; it has power >> steps parts.
std::uint32_t first_part(const Fold& fold, std::uint32_t number, std::uint32_t steps);

SchedulePtr halve(std::uint32_t members);
SchedulePtr gather_halves(std::uint32_t members, std::uint32_t root);
SchedulePtr exchange_halves(std::uint32_t members);

// As halve(), for contributions with one segment per target: a part has the targets of one number of the Fold.
SchedulePtr halve_targets(std::uint32_t members);

}  // namespace rehearse::collective
