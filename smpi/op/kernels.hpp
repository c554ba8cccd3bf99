// SPDX-License-Identifier: MIT
//
// The arithmetic of the predefined operators on arrays of basic types.
#pragma once

#include <cstdint>

#include "smpi/datatype/basic_type.hpp"
#include "smpi/op/op.hpp"

namespace rehearse::smpi {

// Whether MPI allows the operator in a reduction of this type.
bool is_valid(OpCode op, TypeClass type_class);

// inout[i] = in[i] op inout[i]. is_valid(op, type.type_class) must hold, or the operator be replace
// or no_op.
void apply_predefined(OpCode op, const BasicType& type, std::int64_t count, const void* in, void* inout);

}  // namespace rehearse::smpi
