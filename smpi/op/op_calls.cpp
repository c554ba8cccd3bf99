// SPDX-License-Identifier: MIT
//
// The functions on reduction operators, and the local reduction.
#include <string>

#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/op/op.hpp"
#include "smpi/op/swapped.hpp"

namespace rehearse::smpi {
namespace {

const Op* any_op(Arguments& check, MPI_Op handle) {
  if (check.failed()) return nullptr;
  const Op* op = find_op(handle);
  if (op == nullptr) check.require(false, MPI_ERR_OP, wrong_handle(Kind::op, handle));
  return op;
}

template <class Function>
int create(Function* function, int commute, MPI_Op* op) {
  Arguments check;
  check.require(function != nullptr, MPI_ERR_ARG, "the user's function is a null pointer");
  check.pointer(op, "op");
  if (check.failed()) return check.error();
  const Ref<Op> made(new Op(function, commute != 0));
  if (commute != 0) begin_trials(*made, creation_site());
  *op = ops().made.insert(made, creation_site());
  return MPI_SUCCESS;
}

struct Elements {
  MPI_Count count;
  MPI_Datatype datatype;
};

int reduce_here(const void* in, void* inout, const Elements& elements, MPI_Op handle) {
  const auto& [count, datatype] = elements;
  Arguments check;
  check.count(count);
  const Datatype* type = check.type(datatype);
  const Op* op = check.op(handle, type);
  check.buffer(in, count, type, "inbuf").buffer(inout, count, type, "inoutbuf");
  check.require(count == 0 || in != inout, MPI_ERR_BUFFER, "inbuf and inoutbuf are the same");
  if (check.failed()) return check.error();
  if (count > 0) op->apply(*type, datatype, count, in, inout);
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Op_create(MPI_User_function* user_fn, int commute, MPI_Op* op) { return create(user_fn, commute, op); }

int Op_create_c(MPI_User_function_c* user_fn, int commute, MPI_Op* op) { return create(user_fn, commute, op); }

int Op_free(MPI_Op* op) {
  Arguments check;
  check.pointer(op, "op");
  if (check.failed()) return check.error();
  const Op* object = any_op(check, *op);
  if (check.failed()) return check.error();
  check.require(object->code() == OpCode::user, MPI_ERR_OP,
                [&] { return std::string(object->name()) + " is predefined and cannot be freed"; });
  if (check.failed()) return check.error();
  ops().made.erase(*op);
  *op = MPI_OP_NULL;
  return MPI_SUCCESS;
}

int Op_commutative(MPI_Op op, int* commute) {
  Arguments check;
  check.pointer(commute, "commute");
  const Op* object = any_op(check, op);
  if (object != nullptr) *commute = object->commutative() ? 1 : 0;
  return check.error();
}

int Reduce_local(const void* inbuf, void* inoutbuf, int count, MPI_Datatype datatype, MPI_Op op) {
  return reduce_here(inbuf, inoutbuf, {count, datatype}, op);
}

int Reduce_local_c(const void* inbuf, void* inoutbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op) {
  return reduce_here(inbuf, inoutbuf, {count, datatype}, op);
}

}  // namespace rehearse::smpi::calls
