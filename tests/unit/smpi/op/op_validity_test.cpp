// SPDX-License-Identifier: MIT
//
// Which predefined operator may be used on which predefined type: the standard's table, written down once more, type by
// type, and compared in both directions.
//
// Source: MPI 4.1, 6.9.2 (the groups of types, and the operators of each) and 6.9.4 (pairs).
#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "smpi/datatype/table.hpp"
#include "smpi/op/op.hpp"

using namespace rehearse;
using namespace rehearse::smpi;

namespace {

using Types = std::vector<MPI_Datatype>;

const Types c_integers = {MPI_INT,
                          MPI_LONG,
                          MPI_SHORT,
                          MPI_UNSIGNED_SHORT,
                          MPI_UNSIGNED,
                          MPI_UNSIGNED_LONG,
                          MPI_LONG_LONG_INT,
                          MPI_LONG_LONG,
                          MPI_UNSIGNED_LONG_LONG,
                          MPI_SIGNED_CHAR,
                          MPI_UNSIGNED_CHAR,
                          MPI_INT8_T,
                          MPI_INT16_T,
                          MPI_INT32_T,
                          MPI_INT64_T,
                          MPI_UINT8_T,
                          MPI_UINT16_T,
                          MPI_UINT32_T,
                          MPI_UINT64_T};
const Types fortran_integers = {MPI_INTEGER, MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8, MPI_INTEGER16};
const Types floating = {MPI_FLOAT, MPI_DOUBLE, MPI_REAL,  MPI_DOUBLE_PRECISION, MPI_LONG_DOUBLE, MPI_REAL2,
                        MPI_REAL4, MPI_REAL8,  MPI_REAL16};
const Types logical = {MPI_LOGICAL,  MPI_C_BOOL,   MPI_CXX_BOOL, MPI_LOGICAL1,
                       MPI_LOGICAL2, MPI_LOGICAL4, MPI_LOGICAL8, MPI_LOGICAL16};
const Types complex = {MPI_COMPLEX,
                       MPI_C_COMPLEX,
                       MPI_C_FLOAT_COMPLEX,
                       MPI_C_DOUBLE_COMPLEX,
                       MPI_C_LONG_DOUBLE_COMPLEX,
                       MPI_CXX_FLOAT_COMPLEX,
                       MPI_CXX_DOUBLE_COMPLEX,
                       MPI_CXX_LONG_DOUBLE_COMPLEX,
                       MPI_DOUBLE_COMPLEX,
                       MPI_COMPLEX4,
                       MPI_COMPLEX8,
                       MPI_COMPLEX16,
                       MPI_COMPLEX32};
const Types bytes = {MPI_BYTE};
const Types multi_language = {MPI_AINT, MPI_OFFSET, MPI_COUNT};
const Types pairs = {MPI_FLOAT_INT,       MPI_DOUBLE_INT, MPI_LONG_INT,          MPI_2INT,    MPI_SHORT_INT,
                     MPI_LONG_DOUBLE_INT, MPI_2REAL,      MPI_2DOUBLE_PRECISION, MPI_2INTEGER};
// In no group: characters, what is packed.
const Types none = {MPI_CHAR, MPI_WCHAR, MPI_CHARACTER, MPI_PACKED};

struct Rule {
  std::vector<MPI_Op> operators;
  std::vector<const Types*> allowed;
};
const std::vector<Rule> rules = {
    {{MPI_MAX, MPI_MIN}, {&c_integers, &fortran_integers, &floating, &multi_language}},
    {{MPI_SUM, MPI_PROD}, {&c_integers, &fortran_integers, &floating, &complex, &multi_language}},
    {{MPI_LAND, MPI_LOR, MPI_LXOR}, {&c_integers, &logical}},
    {{MPI_BAND, MPI_BOR, MPI_BXOR}, {&c_integers, &fortran_integers, &bytes, &multi_language}},
    {{MPI_MAXLOC, MPI_MINLOC}, {&pairs}}};

}  // namespace

TEST_CASE("operators: the table of the standard holds for every pair of operator and type", "[smpi][op]") {
  std::set<MPI_Datatype> all;
  for (const Types* group :
       {&c_integers, &fortran_integers, &floating, &logical, &complex, &bytes, &multi_language, &pairs, &none})
    all.insert(group->begin(), group->end());
  for (const BasicType& basic : basic_types()) {
    if (basic.type_class == TypeClass::marker) continue;
    INFO(basic.name);
    CHECK(all.contains(basic.handle));  // or the table here has to say of it, too
  }
  std::size_t valid = 0, invalid = 0;
  for (const Rule& rule : rules) {
    std::set<MPI_Datatype> allowed;
    for (const Types* group : rule.allowed) allowed.insert(group->begin(), group->end());
    for (const MPI_Op handle : rule.operators) {
      const Op* op = predefined_op(handle);
      REQUIRE(op != nullptr);
      for (const MPI_Datatype type : all) {
        REQUIRE(predefined_datatype(type) != nullptr);
        INFO(op->name() << " on " << predefined_datatype(type)->basic()->name);
        CHECK(op->accepts(*predefined_datatype(type)) == allowed.contains(type));
        ++(allowed.contains(type) ? valid : invalid);
      }
    }
  }
  CHECK(valid > 200);
  CHECK(invalid > 200);
}
