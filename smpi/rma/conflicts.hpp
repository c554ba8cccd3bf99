// SPDX-License-Identifier: MIT
//
// Whether two unordered operations on the same byte of a window conflict.
//
// Source: MPI 5.0, 12.7; the table of docs/design/one-sided.md.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

#include "mpi.h"
#include "smpi/rma/operation_message.hpp"

namespace rehearse::smpi {

// The properties of an operation that decide about conflicts.
struct OperationSort {
  int origin = 0;
  Deed deed = Deed::put;
  OpCode op = OpCode::replace;
  MPI_Datatype element = MPI_DATATYPE_NULL;
  const void* place = nullptr;
  auto operator<=>(const OperationSort&) const = default;

  bool is_read() const { return deed == Deed::get || (deed == Deed::fetch && op == OpCode::no_op); }
};

OperationSort sort_of(int origin, const OperationHeader& header);

enum class Meeting : std::uint8_t { harmless, ordered_by_choice, race };

// Two operations that touch the same byte, and whose blocks begin `distance` bytes apart. `only_same_op`: the hint
// accumulate_ops=same_op.
Meeting meeting_of(const OperationSort& a, const OperationSort& b, std::ptrdiff_t distance, bool only_same_op);

}  // namespace rehearse::smpi
