// SPDX-License-Identifier: MIT
//
// See conflicts.hpp.
#include "smpi/rma/conflicts.hpp"

#include "smpi/datatype/table.hpp"

namespace rehearse::smpi {

OperationSort sort_of(int origin, const OperationHeader& header) {
  return {origin, header.deed, header.op, header.element, header.place};
}

Meeting meeting_of(const OperationSort& a, const OperationSort& b, std::ptrdiff_t distance, bool only_same_op) {
  if (a.is_read() && b.is_read()) return Meeting::harmless;
  if (!is_atomic(a.deed) || !is_atomic(b.deed)) return Meeting::race;
  if (a.origin == b.origin) return Meeting::harmless;
  const std::int64_t extent = predefined_datatype(a.element)->extent();
  if (a.element != b.element || distance % extent != 0) return Meeting::race;
  const bool is_read = a.is_read() || b.is_read();
  const bool is_same = (a.deed == Deed::swap) == (b.deed == Deed::swap) && a.op == b.op;
  const bool may_mix = a.op == OpCode::replace && b.op == OpCode::replace;  // also compare-and-swap
  if (!is_same && !may_mix && (!is_read || only_same_op)) return Meeting::race;
  const bool is_observed = has_answer(a.deed) || has_answer(b.deed) || a.op == OpCode::replace;
  return is_observed ? Meeting::ordered_by_choice : Meeting::harmless;
}

}  // namespace rehearse::smpi
