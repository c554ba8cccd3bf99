// SPDX-License-Identifier: MIT
//
// Reduction operators: the predefined ones on the types that MPI allows them on, and the user's
// functions.
//
// Order:  a reduction computes x0 op x1 op ... op x(n-1) in the order of the ranks, associated from
//         the right, a scan from the left.
// Source: MPI 5.0, 6.9.2-6.9.5; the table of valid types is also from there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "mpi.h"
#include "smpi/datatype/datatype.hpp"
#include "smpi/error.hpp"
#include "smpi/handle_registry.hpp"
#include "smpi/shared_object.hpp"
#include "smpi/wrong_handle.hpp"

namespace rehearse::smpi {

// clang-format off
enum class OpCode : std::uint8_t {
  user, sum, min, max, prod, band, bor, bxor, land, lor, lxor, minloc, maxloc, replace, no_op
};
// clang-format on

class Op final : public SharedObject {
 public:
  Op(OpCode code, const char* name);                  // predefined, immortal
  Op(MPI_User_function* function, bool commutative);  // the user's
  Op(MPI_User_function_c* function, bool commutative);

  OpCode code() const { return code_; }
  bool commutative() const { return commutative_; }
  const char* name() const { return name_; }  // "MPI_SUM", or "user operator"

  // Whether a reduction may use it on this type. (MPI_Accumulate also allows MPI_REPLACE and
  // MPI_NO_OP.)
  bool accepts(const Datatype& type) const;

  // Whether the operator is not defined on the type, but other libraries accept it: MPI_CHAR, which they use as a
  // signed integer.
  bool is_tolerated(const Datatype& type) const;

  // inout[i] = in[i] op inout[i] for `count` elements in the layout of `type`; accepts(type) or is_tolerated(type) must
  // hold. `handle` of the type is passed to a user's function.
  void apply(const Datatype& type, MPI_Datatype handle, std::int64_t count, const void* in, void* inout) const;

 private:
  OpCode code_;
  bool commutative_ = true;
  const char* name_;
  MPI_User_function* function_ = nullptr;
  MPI_User_function_c* function_c_ = nullptr;
};

using OpRef = Ref<const Op>;

// The elements of a reduction: `count` elements of `type` per rank.
struct ReduceElements {
  const Datatype& type;
  MPI_Datatype handle;
  std::int64_t count;
};

// The reduction of the packed contributions (one per rank, in rank order, at least one, each of type.size() * count
// bytes) into a buffer with the layout of the type. The buffer may contain contributions (MPI_IN_PLACE).
void reduce(const Op& op, const ReduceElements& elements, std::span<const std::span<const std::byte>> contributions,
            void* result);

// The same, associated from the left: the result for all but the last contribution is an intermediate result.
void reduce_in_order(const Op& op, const ReduceElements& elements,
                     std::span<const std::span<const std::byte>> contributions, void* result);

// The predefined operator of this handle, or null. Needs no rank.
const Op* predefined_op(MPI_Op handle);

struct OpTable {
  HandleRegistry<MPI_Op, Ref<Op>, HandleKind::op> made;
};

// Of the calling rank.
OpTable& ops();

// The operator of the handle, or null: MPI_OP_NULL, freed, or no operator.
const Op* find_op(MPI_Op handle);

// Reports that the current MPI call of the rank uses the operator on such a type, once for each place of the program.
void report_tolerated_type(const Op& op, const Datatype& type);

// Argument check of reductions: null after having raised MPI_ERR_OP on `comm` (then `failure` is the value to return)
// if the handle is not an operator, or the operator is not valid for the type.
inline const Op* checked_op(MPI_Comm comm, MPI_Op handle, const Datatype& type, int& failure) {
  const Op* op = find_op(handle);
  if (op != nullptr && op->accepts(type)) return op;
  if (op != nullptr && op->is_tolerated(type)) {
    report_tolerated_type(*op, type);
    return op;
  }
  failure =
      error_on(comm, MPI_ERR_OP,
               op == nullptr ? wrong_handle(Kind::op, handle) : op->name() + (" is not defined on " + describe(type)));
  return nullptr;
}

}  // namespace rehearse::smpi
