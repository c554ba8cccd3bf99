// SPDX-License-Identifier: MIT
//
// Finds user operators that were declared commutative and are not: the function is called with its operands exchanged,
// too, for a few of them, on copies and in a copy of the process, since it may do more than combine its operands.
//
// Limits: three different pairs of operands of each operator, up to 1 MiB, on ranks 0 to 7; 24 pairs of all operators
//         of a rank, because each trial copies the process.
#pragma once

#include "smpi/op/op.hpp"

namespace rehearse::smpi {

// The calling rank made this operator: it is not known yet. One that was there before may have had its place.
void begin_trials(const Op& op, const CreationSite& created);

// The operator is about to combine these elements of the rank. Reports if the order of the operands matters to it.
// A function that does not make the same of the same operands again says nothing.
void try_swapped(const Op& op, const ReduceElements& elements, const void* in, const void* inout);

}  // namespace rehearse::smpi
