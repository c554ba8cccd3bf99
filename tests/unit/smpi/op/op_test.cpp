// SPDX-License-Identifier: MIT
//
// Predefined operators on every type, their validity, user operators and reductions of packed
// contributions.
#include "smpi/op/op.hpp"

#include <catch2/catch.hpp>
#include <complex>
#include <cstring>
#include <string>

#include "smpi/datatype/construct.hpp"
#include "smpi/datatype/pack.hpp"
#include "smpi/datatype/table.hpp"

using namespace rehearse;
using namespace rehearse::smpi;

namespace {

const MPI_Op reductions[] = {MPI_SUM,  MPI_MIN,  MPI_MAX, MPI_PROD, MPI_BAND,   MPI_BOR,
                             MPI_BXOR, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_MINLOC, MPI_MAXLOC};

std::string valid_ops(MPI_Datatype type) {
  std::string names;
  for (const MPI_Op op : reductions)
    if (predefined_op(op)->accepts(*predefined_datatype(type)))
      names += std::string(predefined_op(op)->name()).substr(4) + " ";
  return names;
}

// One element: a op b.
template <class T>
T applied(MPI_Op op, MPI_Datatype type, T a, T b) {
  REQUIRE(predefined_datatype(type)->extent() == sizeof(T));
  REQUIRE(predefined_op(op)->accepts(*predefined_datatype(type)));
  T in[3] = {a, a, a}, inout[3] = {b, b, b};
  std::byte beyond[sizeof(T)];
  std::memcpy(beyond, &inout[2], sizeof(T));
  predefined_op(op)->apply(*predefined_datatype(type), type, 2, in, inout);
  CHECK(inout[0] == inout[1]);
  CHECK(std::memcmp(&inout[2], beyond, sizeof(T)) == 0);  // not one too many
  return inout[0];
}

template <class T>
void check_arithmetic(MPI_Datatype type) {
  CHECK(applied<T>(MPI_SUM, type, 7, 3) == T(10));
  CHECK(applied<T>(MPI_PROD, type, 7, 3) == T(21));
  CHECK(applied<T>(MPI_MIN, type, 7, 3) == T(3));
  CHECK(applied<T>(MPI_MAX, type, 7, 3) == T(7));
}

template <class T>
void check_bits(MPI_Datatype type) {
  CHECK(applied<T>(MPI_BAND, type, 12, 10) == 8);
  CHECK(applied<T>(MPI_BOR, type, 12, 10) == 14);
  CHECK(applied<T>(MPI_BXOR, type, 12, 10) == 6);
}

template <class T>
void check_truth(MPI_Datatype type, T yes) {
  CHECK(applied<T>(MPI_LAND, type, yes, yes) == T(1));
  CHECK(applied<T>(MPI_LAND, type, yes, 0) == T(0));
  CHECK(applied<T>(MPI_LOR, type, yes, 0) == T(1));
  CHECK(applied<T>(MPI_LOR, type, 0, 0) == T(0));
  CHECK(applied<T>(MPI_LXOR, type, yes, yes) == T(0));
  CHECK(applied<T>(MPI_LXOR, type, 0, yes) == T(1));
}

template <class T>
void check_integer(MPI_Datatype type, bool of_c = true) {
  check_arithmetic<T>(type);
  check_bits<T>(type);
  if (of_c) check_truth<T>(type, 5);
}

template <class Real>
void check_complex(MPI_Datatype type) {
  struct Pair {
    Real re, im;
    bool operator==(const Pair& other) const { return re == other.re && im == other.im; }
  };
  const Pair sum = applied<Pair>(MPI_SUM, type, {1, 2}, {3, 4});
  CHECK((sum.re == Real(4) && sum.im == Real(6)));
  const Pair product = applied<Pair>(MPI_PROD, type, {1, 2}, {3, 4});
  CHECK((product.re == Real(-5) && product.im == Real(10)));
}

template <class Value, class Index>
void check_located(MPI_Datatype type) {
  struct Pair {
    Value value;
    Index index;
  };
  const auto both = [&](MPI_Op op, Value a, Index i, Value b, Index j) {
    Pair in[2] = {{a, i}, {a, i}}, inout[2] = {{b, j}, {b, j}};
    predefined_op(op)->apply(*predefined_datatype(type), type, 2, in, inout);
    CHECK((inout[0].value == inout[1].value && inout[0].index == inout[1].index));
    return std::pair(inout[0].value, inout[0].index);
  };
  CHECK(both(MPI_MINLOC, 3, 9, 5, 1) == std::pair<Value, Index>(3, 9));
  CHECK(both(MPI_MAXLOC, 3, 9, 5, 1) == std::pair<Value, Index>(5, 1));
  CHECK(both(MPI_MINLOC, 4, 9, 4, 1) == std::pair<Value, Index>(4, 1));
  CHECK(both(MPI_MAXLOC, 4, 2, 4, 7) == std::pair<Value, Index>(4, 2));
}

// Matrices of 2 x 2: their product does not commute.
struct Matrix {
  long a, b, c, d;
};

void multiply(void* in, void* inout, int* count, MPI_Datatype*) {
  for (int i = 0; i < *count; ++i) {
    const Matrix x = static_cast<Matrix*>(in)[i], y = static_cast<Matrix*>(inout)[i];
    static_cast<Matrix*>(inout)[i] = {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c,
                                      x.c * y.b + x.d * y.d};
  }
}

std::span<const std::byte> bytes_of(const void* data, std::size_t size) {
  return {static_cast<const std::byte*>(data), size};
}

}  // namespace

TEST_CASE("operators: each class of types has the operators that MPI gives it", "[smpi][op]") {
  const std::string integers = "SUM MIN MAX PROD BAND BOR BXOR LAND LOR LXOR ";
  const std::string without_logic = "SUM MIN MAX PROD BAND BOR BXOR ";
  CHECK(valid_ops(MPI_INT) == integers);
  CHECK(valid_ops(MPI_UINT8_T) == integers);
  CHECK(valid_ops(MPI_SIGNED_CHAR) == integers);
  CHECK(valid_ops(MPI_INTEGER) == without_logic);
  CHECK(valid_ops(MPI_AINT) == without_logic);
  CHECK(valid_ops(MPI_COUNT) == without_logic);
  CHECK(valid_ops(MPI_DOUBLE) == "SUM MIN MAX PROD ");
  CHECK(valid_ops(MPI_REAL16) == "SUM MIN MAX PROD ");
  CHECK(valid_ops(MPI_C_BOOL) == "LAND LOR LXOR ");
  CHECK(valid_ops(MPI_LOGICAL) == "LAND LOR LXOR ");
  CHECK(valid_ops(MPI_C_FLOAT_COMPLEX) == "SUM PROD ");
  CHECK(valid_ops(MPI_BYTE) == "BAND BOR BXOR ");
  CHECK(valid_ops(MPI_DOUBLE_INT) == "MINLOC MAXLOC ");
  for (const MPI_Datatype type : {MPI_CHAR, MPI_WCHAR, MPI_CHARACTER, MPI_PACKED}) CHECK(valid_ops(type) == "");
  const auto pair_of_ints = make_contiguous(2, *predefined_datatype(MPI_INT), {});
  for (const MPI_Op op : reductions) CHECK_FALSE(predefined_op(op)->accepts(*pair_of_ints));
  CHECK(predefined_op(MPI_OP_NULL) == nullptr);
}

TEST_CASE("operators: integers of every size", "[smpi][op]") {
  check_integer<signed char>(MPI_SIGNED_CHAR);
  check_integer<unsigned char>(MPI_UNSIGNED_CHAR);
  check_integer<short>(MPI_SHORT);
  check_integer<unsigned short>(MPI_UNSIGNED_SHORT);
  check_integer<int>(MPI_INT);
  check_integer<unsigned>(MPI_UNSIGNED);
  check_integer<long>(MPI_LONG);
  check_integer<unsigned long>(MPI_UNSIGNED_LONG);
  check_integer<long long>(MPI_LONG_LONG);
  check_integer<unsigned long long>(MPI_UNSIGNED_LONG_LONG);
  check_integer<std::int8_t>(MPI_INT8_T);
  check_integer<std::int16_t>(MPI_INT16_T);
  check_integer<std::int32_t>(MPI_INT32_T);
  check_integer<std::int64_t>(MPI_INT64_T);
  check_integer<std::uint8_t>(MPI_UINT8_T);
  check_integer<std::uint16_t>(MPI_UINT16_T);
  check_integer<std::uint32_t>(MPI_UINT32_T);
  check_integer<std::uint64_t>(MPI_UINT64_T);
  check_integer<MPI_Aint>(MPI_AINT, false);
  check_integer<MPI_Count>(MPI_COUNT, false);
  check_integer<MPI_Offset>(MPI_OFFSET, false);
  check_integer<int>(MPI_INTEGER, false);
  check_integer<std::int8_t>(MPI_INTEGER1, false);
  check_integer<std::int16_t>(MPI_INTEGER2, false);
  check_integer<std::int32_t>(MPI_INTEGER4, false);
  check_integer<std::int64_t>(MPI_INTEGER8, false);
  check_bits<unsigned char>(MPI_BYTE);
  const __int128 huge = __int128{1} << 100;
  CHECK((applied<__int128>(MPI_SUM, MPI_INTEGER16, huge, huge) == huge * 2));
  CHECK((applied<__int128>(MPI_BOR, MPI_INTEGER16, huge, 1) == huge + 1));
  CHECK(applied<int>(MPI_MIN, MPI_INT, -7, 3) == -7);
  CHECK(applied<unsigned>(MPI_MIN, MPI_UNSIGNED, 0xfffffff0, 3) == 3);
  CHECK(applied<int>(MPI_SUM, MPI_INT, 0x7fffffff, 1) == -0x7fffffff - 1);  // wraps, no trap
}

TEST_CASE("operators: floating and complex numbers of every size", "[smpi][op]") {
  check_arithmetic<float>(MPI_FLOAT);
  check_arithmetic<double>(MPI_DOUBLE);
  check_arithmetic<long double>(MPI_LONG_DOUBLE);
  check_arithmetic<float>(MPI_REAL);
  check_arithmetic<double>(MPI_DOUBLE_PRECISION);
  check_arithmetic<float>(MPI_REAL4);
  check_arithmetic<double>(MPI_REAL8);
  CHECK((applied<_Float16>(MPI_SUM, MPI_REAL2, 2, 3) == _Float16(5)));
  CHECK((applied<__float128>(MPI_PROD, MPI_REAL16, 2, 3) == __float128(6)));
  for (const MPI_Datatype type : {MPI_C_FLOAT_COMPLEX, MPI_CXX_FLOAT_COMPLEX, MPI_COMPLEX, MPI_COMPLEX8})
    check_complex<float>(type);
  for (const MPI_Datatype type : {MPI_C_DOUBLE_COMPLEX, MPI_CXX_DOUBLE_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_COMPLEX16})
    check_complex<double>(type);
  check_complex<long double>(MPI_C_LONG_DOUBLE_COMPLEX);
  check_complex<long double>(MPI_CXX_LONG_DOUBLE_COMPLEX);
  check_complex<_Float16>(MPI_COMPLEX4);
  check_complex<__float128>(MPI_COMPLEX32);
}

TEST_CASE("operators: truth values of C, C++ and Fortran", "[smpi][op]") {
  check_truth<bool>(MPI_C_BOOL, true);
  check_truth<bool>(MPI_CXX_BOOL, true);
  check_truth<std::int32_t>(MPI_LOGICAL, 1);
  check_truth<std::int8_t>(MPI_LOGICAL1, 1);
  check_truth<std::int16_t>(MPI_LOGICAL2, 1);
  check_truth<std::int32_t>(MPI_LOGICAL4, -1);
  check_truth<std::int64_t>(MPI_LOGICAL8, 1);
  CHECK((applied<__int128>(MPI_LAND, MPI_LOGICAL16, 1, 1) == 1));
}

TEST_CASE("operators: the location of extremes, the lower index where they are equal", "[smpi][op]") {
  check_located<float, int>(MPI_FLOAT_INT);
  check_located<double, int>(MPI_DOUBLE_INT);
  check_located<long, int>(MPI_LONG_INT);
  check_located<int, int>(MPI_2INT);
  check_located<short, int>(MPI_SHORT_INT);
  check_located<long double, int>(MPI_LONG_DOUBLE_INT);
  check_located<float, float>(MPI_2REAL);
  check_located<double, double>(MPI_2DOUBLE_PRECISION);
  check_located<int, int>(MPI_2INTEGER);
}

TEST_CASE("reduce: contributions are combined in the order of the ranks", "[smpi][op]") {
  const Ref<Op> op(new Op(multiply, false));
  const auto type = make_contiguous(4, *predefined_datatype(MPI_LONG), {});
  type->commit();
  const Matrix ranks[] = {{1, 1, 0, 1}, {1, 0, 1, 1}, {2, 1, 1, 0}};
  Matrix expected = ranks[2], result = {};
  int one = 1;
  for (int i = 1; i >= 0; --i) multiply(const_cast<Matrix*>(&ranks[i]), &expected, &one, nullptr);
  const std::span<const std::byte> contributions[] = {bytes_of(&ranks[0], sizeof(Matrix)),
                                                      bytes_of(&ranks[1], sizeof(Matrix)),
                                                      bytes_of(&ranks[2], sizeof(Matrix))};
  reduce(*op, {*type, MPI_DATATYPE_NULL, 1}, contributions, &result);
  CHECK(std::memcmp(&result, &expected, sizeof result) == 0);
  CHECK(result.a == 5);
}

TEST_CASE("reduce: works for types with gaps and for bytes at odd addresses", "[smpi][op]") {
  struct Pair {
    double value;
    int index;
  };
  constexpr int packed = 12;
  const Datatype& type = *predefined_datatype(MPI_DOUBLE_INT);
  const Pair mine[2] = {{5, 1}, {2, 2}}, theirs[2] = {{3, 8}, {9, 9}};
  std::byte memory[1 + 4 * packed];  // nothing in it is aligned
  pack(type, 2, mine, memory + 1);
  pack(type, 2, theirs, memory + 1 + 2 * packed);
  const std::span<const std::byte> contributions[] = {{memory + 1, 2 * packed}, {memory + 1 + 2 * packed, 2 * packed}};
  Pair result[2] = {};
  reduce(*predefined_op(MPI_MINLOC), {type, MPI_DOUBLE_INT, 2}, contributions, result);
  CHECK((result[0].value == 3 && result[0].index == 8));
  CHECK((result[1].value == 2 && result[1].index == 2));
}

TEST_CASE("reduce: a contribution can be in the memory of the result", "[smpi][op]") {
  const Datatype& type = *predefined_datatype(MPI_INT);
  for (const std::size_t mine : {0, 1, 2}) {
    const int values[3][2] = {{1, 2}, {10, 20}, {100, 200}};
    int result[2] = {values[mine][0], values[mine][1]};
    std::vector<std::span<const std::byte>> contributions;
    for (std::size_t rank = 0; rank < 3; ++rank)
      contributions.push_back(bytes_of(rank == mine ? result : values[rank], sizeof result));
    reduce(*predefined_op(MPI_SUM), {type, MPI_INT, 2}, contributions, result);
    CHECK((result[0] == 111 && result[1] == 222));
  }
}
