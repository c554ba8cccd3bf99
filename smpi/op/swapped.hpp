// SPDX-License-Identifier: MIT
//
// Finds user operators that are wrongly declared commutative. For a few pairs of operands, the function is also called
// with the operands exchanged. These calls use copies and run in a copy of the process, because the function may have
// other effects.
//
// Limits: three different pairs of operands of each operator, up to 1 MiB, on ranks 0 to 7; 24 pairs of all operators
//         of a rank, because each trial copies the process.
#pragma once

#include "smpi/op/op.hpp"

namespace rehearse::smpi {

// Called when the rank has created this operator. An earlier operator may have had the same address.
void begin_trials(const Op& op, const CreationSite& created);

// Called before the operator combines these elements of the rank. Reports if the order of the operands matters. A
// function whose results for equal operands differ cannot be tested.
void try_swapped(const Op& op, const ReduceElements& elements, const void* in, const void* inout);

}  // namespace rehearse::smpi
