// SPDX-License-Identifier: MIT
//
// Predefined datatypes by the precision and range that a Fortran program requests.
//
// Rule:   the same request gives the same handle, which cannot be freed.
// Source: MPI 5.0, 19.1.5; precision and range of the kinds of gfortran 12 on x86-64.
#include <array>
#include <span>
#include <string>
#include <utility>

#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/datatype/type_calls.hpp"

namespace rehearse::smpi {
namespace {

struct Kind {
  int precision;  // decimal digits; 0 of integers
  int range;      // decimal exponent
  MPI_Datatype type;
};

const std::array<Kind, 4> real_kinds = {
    {{6, 37, MPI_REAL4}, {15, 307, MPI_REAL8}, {18, 4931, MPI_LONG_DOUBLE}, {33, 4931, MPI_REAL16}}};
const std::array<Kind, 4> complex_kinds = {{{6, 37, MPI_COMPLEX8},
                                            {15, 307, MPI_COMPLEX16},
                                            {18, 4931, MPI_C_LONG_DOUBLE_COMPLEX},
                                            {33, 4931, MPI_COMPLEX32}}};
const std::array<Kind, 5> integer_kinds = {
    {{0, 2, MPI_INTEGER1}, {0, 4, MPI_INTEGER2}, {0, 9, MPI_INTEGER4}, {0, 18, MPI_INTEGER8}, {0, 38, MPI_INTEGER16}}};

// The request of the program; MPI_UNDEFINED: any value.
struct Requirements {
  int combiner;
  int precision;
  int range;
};

int select(std::span<const Kind> kinds, const Requirements& wanted, MPI_Datatype* newtype) {
  Arguments check;
  check.pointer(newtype, "newtype");
  const bool has_precision = wanted.combiner != MPI_COMBINER_F90_INTEGER;
  check.require(wanted.precision != MPI_UNDEFINED || wanted.range != MPI_UNDEFINED, MPI_ERR_ARG,
                "neither a precision nor a range is given");
  if (check.failed()) return check.error();
  for (const Kind& kind : kinds) {
    if (kind.precision < wanted.precision || kind.range < wanted.range) continue;
    const std::array key{wanted.combiner, wanted.precision, wanted.range};
    MPI_Datatype& handle = datatypes().fortran[key];
    if (handle == nullptr) {
      Recipe recipe;
      recipe.combiner = wanted.combiner;
      if (has_precision) recipe.integers.push_back(wanted.precision);
      recipe.integers.push_back(wanted.range);
      const BasicType& basic = *predefined_datatype(kind.type)->basic();
      Ref<Datatype> made(new Datatype(basic, std::move(recipe)));
      handle = datatypes().made.insert(std::move(made), creation_site());
    }
    *newtype = handle;
    return MPI_SUCCESS;
  }
  check.require(false, MPI_ERR_ARG,
                fmt::format("no Fortran type has a precision of {} digits and a range of {}", wanted.precision,
                            wanted.range));
  return check.error();
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Type_create_f90_real(int p, int r, MPI_Datatype* newtype) {
  return select(real_kinds, {MPI_COMBINER_F90_REAL, p, r}, newtype);
}

int Type_create_f90_complex(int p, int r, MPI_Datatype* newtype) {
  return select(complex_kinds, {MPI_COMBINER_F90_COMPLEX, p, r}, newtype);
}

int Type_create_f90_integer(int r, MPI_Datatype* newtype) {
  return select(integer_kinds, {MPI_COMBINER_F90_INTEGER, MPI_UNDEFINED, r}, newtype);
}

}  // namespace rehearse::smpi::calls
