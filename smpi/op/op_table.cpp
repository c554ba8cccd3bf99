// SPDX-License-Identifier: MIT
//
// The operators of a rank.
#include "smpi/op/op.hpp"
#include "smpi/per_rank.hpp"

namespace rehearse::smpi {

OpTable& ops() { return per_rank<OpTable>(); }

const Op* find_op(MPI_Op handle) {
  if (is_predefined_handle(handle)) return predefined_op(handle);
  const Ref<Op>* op = ops().made.find(handle);
  return op == nullptr ? nullptr : op->get();
}

}  // namespace rehearse::smpi
