// SPDX-License-Identifier: MIT
//
// One loop per operator and representation. Only the pairs in the table of MPI are called.
//
// Source: MPI 5.0, 6.9.2 (table of valid types), 6.9.4 (minimum and maximum with location).
#include "smpi/op/kernels.hpp"

#include <algorithm>
#include <complex>
#include <cstring>
#include <type_traits>

#include "simcore/support/assert.hpp"

namespace rehearse::smpi {
namespace {

// ---- Representations for which C++ has no arithmetic

template <class Real>
struct Complex {
  Real real, imaginary;
  friend Complex operator+(Complex a, Complex b) {
    return {static_cast<Real>(a.real + b.real), static_cast<Real>(a.imaginary + b.imaginary)};
  }
  friend Complex operator*(Complex a, Complex b) {
    return {static_cast<Real>(a.real * b.real - a.imaginary * b.imaginary),
            static_cast<Real>(a.real * b.imaginary + a.imaginary * b.real)};
  }
};

// LOGICAL of Fortran: any value but 0 is true, .TRUE. is 1.
template <class Integer>
struct Logical {
  Integer value;
};

template <class Value, class Index>
struct Located {
  Value value;
  Index index;
};

template <class T>
struct Traits {
  static constexpr bool integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;
  static constexpr bool ordered = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
  static constexpr bool numeric = ordered;
  static constexpr bool truth = std::is_integral_v<T>;
  static constexpr bool located = false;
};
template <>
struct Traits<__int128> {
  static constexpr bool integer = true, ordered = true, numeric = true, truth = false;
  static constexpr bool located = false;
};
template <class T>
struct ExtendedReal {
  static constexpr bool integer = false, ordered = true, numeric = true, truth = false;
  static constexpr bool located = false;
};
template <>
struct Traits<_Float16> : ExtendedReal<_Float16> {};
template <>
struct Traits<__float128> : ExtendedReal<__float128> {};
template <class Real>
struct Traits<Complex<Real>> {
  static constexpr bool integer = false, ordered = false, numeric = true, truth = false;
  static constexpr bool located = false;
};
template <class Integer>
struct Traits<Logical<Integer>> {
  static constexpr bool integer = false, ordered = false, numeric = false, truth = true;
  static constexpr bool located = false;
};
template <class Value, class Index>
struct Traits<Located<Value, Index>> {
  static constexpr bool integer = false, ordered = false, numeric = false, truth = false;
  static constexpr bool located = true;
};

template <class T>
bool truth_of(T x) {
  return x != T{};
}
template <class Integer>
bool truth_of(Logical<Integer> x) {
  return x.value != 0;
}

template <class T>
T of_truth(bool truth) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(truth);
  } else {
    return T{static_cast<decltype(T::value)>(truth)};
  }
}

// Signed sums and products wrap around, as the hardware does.
template <class T>
T sum(T a, T b) {
  if constexpr (std::is_integral_v<T> || std::is_same_v<T, __int128>) {
    using Unsigned = std::conditional_t<sizeof(T) == 16, unsigned __int128, std::uint64_t>;
    return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
  } else {
    return static_cast<T>(a + b);
  }
}

template <class T>
T product(T a, T b) {
  if constexpr (std::is_integral_v<T> || std::is_same_v<T, __int128>) {
    using Unsigned = std::conditional_t<sizeof(T) == 16, unsigned __int128, std::uint64_t>;
    return static_cast<T>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
  } else {
    return static_cast<T>(a * b);
  }
}

// If the values are equal, the smaller index wins.
template <class T, class Better>
T located(T a, T b, Better better) {
  if (better(a.value, b.value)) return a;
  if (better(b.value, a.value)) return b;
  return {a.value, std::min(a.index, b.index)};
}

// ---- Loops

template <class T, class Function>
void each(std::int64_t count, const void* in, void* inout, Function function) {
  const T* a = static_cast<const T*>(in);
  T* b = static_cast<T*>(inout);
  for (std::int64_t i = 0; i < count; ++i) b[i] = function(a[i], b[i]);
}

template <class T>
void apply_typed(OpCode op, std::int64_t n, const void* in, void* inout) {
  using Is = Traits<T>;
  if constexpr (Is::numeric) {
    if (op == OpCode::sum) return each<T>(n, in, inout, [](T a, T b) { return sum(a, b); });
    if (op == OpCode::prod) return each<T>(n, in, inout, [](T a, T b) { return product(a, b); });
  }
  if constexpr (Is::ordered) {
    if (op == OpCode::min) return each<T>(n, in, inout, [](T a, T b) { return b < a ? b : a; });
    if (op == OpCode::max) return each<T>(n, in, inout, [](T a, T b) { return a < b ? b : a; });
  }
  if constexpr (Is::integer) {
    if (op == OpCode::band) return each<T>(n, in, inout, [](T a, T b) { return T(a & b); });
    if (op == OpCode::bor) return each<T>(n, in, inout, [](T a, T b) { return T(a | b); });
    if (op == OpCode::bxor) return each<T>(n, in, inout, [](T a, T b) { return T(a ^ b); });
  }
  if constexpr (Is::truth) {
    const auto both = [](T a, T b) { return of_truth<T>(truth_of(a) && truth_of(b)); };
    const auto either = [](T a, T b) { return of_truth<T>(truth_of(a) || truth_of(b)); };
    const auto one = [](T a, T b) { return of_truth<T>(truth_of(a) != truth_of(b)); };
    if (op == OpCode::land) return each<T>(n, in, inout, both);
    if (op == OpCode::lor) return each<T>(n, in, inout, either);
    if (op == OpCode::lxor) return each<T>(n, in, inout, one);
  }
  if constexpr (Is::located) {
    const auto less = [](auto x, auto y) { return x < y; };
    const auto more = [](auto x, auto y) { return x > y; };
    const auto lower = [&](T a, T b) { return located(a, b, less); };
    const auto upper = [&](T a, T b) { return located(a, b, more); };
    if (op == OpCode::minloc) return each<T>(n, in, inout, lower);
    if (op == OpCode::maxloc) return each<T>(n, in, inout, upper);
  }
  REHEARSE_ASSERT(false, "an operator on a type that it is not valid for");
}

// clang-format off
void apply_pairs(OpCode op, Storage storage, std::int64_t n, const void* in,
                 void* inout) {
  switch (storage) {
    case Storage::pair_float_int: return apply_typed<Located<float, int>>(op, n, in, inout);
    case Storage::pair_double_int: return apply_typed<Located<double, int>>(op, n, in, inout);
    case Storage::pair_long_int: return apply_typed<Located<long, int>>(op, n, in, inout);
    case Storage::pair_int_int: return apply_typed<Located<int, int>>(op, n, in, inout);
    case Storage::pair_short_int: return apply_typed<Located<short, int>>(op, n, in, inout);
    case Storage::pair_long_double_int: return apply_typed<Located<long double, int>>(op, n, in, inout);
    case Storage::pair_float_float: return apply_typed<Located<float, float>>(op, n, in, inout);
    case Storage::pair_double_double: return apply_typed<Located<double, double>>(op, n, in, inout);
    default: REHEARSE_ASSERT(false, "a type of unknown representation");
  }
}

void apply_composites(OpCode op, Storage storage, std::int64_t n, const void* in,
                      void* inout) {
  switch (storage) {
    case Storage::complex16: return apply_typed<Complex<_Float16>>(op, n, in, inout);
    case Storage::complex32: return apply_typed<Complex<float>>(op, n, in, inout);
    case Storage::complex64: return apply_typed<Complex<double>>(op, n, in, inout);
    case Storage::complex80: return apply_typed<Complex<long double>>(op, n, in, inout);
    case Storage::complex128: return apply_typed<Complex<__float128>>(op, n, in, inout);
    case Storage::bool8: return apply_typed<bool>(op, n, in, inout);
    case Storage::logical8: return apply_typed<Logical<std::int8_t>>(op, n, in, inout);
    case Storage::logical16: return apply_typed<Logical<std::int16_t>>(op, n, in, inout);
    case Storage::logical32: return apply_typed<Logical<std::int32_t>>(op, n, in, inout);
    case Storage::logical64: return apply_typed<Logical<std::int64_t>>(op, n, in, inout);
    case Storage::logical128: return apply_typed<Logical<__int128>>(op, n, in, inout);
    default: return apply_pairs(op, storage, n, in, inout);
  }
}

void apply_numbers(OpCode op, Storage storage, std::int64_t n, const void* in,
                   void* inout) {
  switch (storage) {
    case Storage::int8: return apply_typed<std::int8_t>(op, n, in, inout);
    case Storage::int16: return apply_typed<std::int16_t>(op, n, in, inout);
    case Storage::int32: return apply_typed<std::int32_t>(op, n, in, inout);
    case Storage::int64: return apply_typed<std::int64_t>(op, n, in, inout);
    case Storage::int128: return apply_typed<__int128>(op, n, in, inout);
    case Storage::bytes:
    case Storage::uint8: return apply_typed<std::uint8_t>(op, n, in, inout);
    case Storage::uint16: return apply_typed<std::uint16_t>(op, n, in, inout);
    case Storage::uint32: return apply_typed<std::uint32_t>(op, n, in, inout);
    case Storage::uint64: return apply_typed<std::uint64_t>(op, n, in, inout);
    case Storage::float16: return apply_typed<_Float16>(op, n, in, inout);
    case Storage::float32: return apply_typed<float>(op, n, in, inout);
    case Storage::float64: return apply_typed<double>(op, n, in, inout);
    case Storage::float80: return apply_typed<long double>(op, n, in, inout);
    case Storage::float128: return apply_typed<__float128>(op, n, in, inout);
    default: return apply_composites(op, storage, n, in, inout);
  }
}

// clang-format on

}  // namespace

bool is_valid(OpCode op, TypeClass type_class) {
  using enum TypeClass;
  const TypeClass c = type_class;
  const bool integer = c == c_integer || c == fortran_integer || c == multi_language;
  switch (op) {
    case OpCode::min:
    case OpCode::max: return integer || c == floating;
    case OpCode::sum:
    case OpCode::prod: return integer || c == floating || c == complex;
    case OpCode::land:
    case OpCode::lor:
    case OpCode::lxor: return c == c_integer || c == logical;
    case OpCode::band:
    case OpCode::bor:
    case OpCode::bxor: return integer || c == byte;
    case OpCode::minloc:
    case OpCode::maxloc: return c == pair;
    case OpCode::user: return true;
    case OpCode::replace:
    case OpCode::no_op: return false;
  }
  return false;
}

void apply_predefined(OpCode op, const BasicType& type, std::int64_t n, const void* in, void* inout) {
  if (op == OpCode::no_op || n <= 0) return;
  if (op == OpCode::replace) {
    std::memcpy(inout, in, static_cast<std::size_t>(n * type.extent));
    return;
  }
  apply_numbers(op, type.storage, n, in, inout);
}

}  // namespace rehearse::smpi
