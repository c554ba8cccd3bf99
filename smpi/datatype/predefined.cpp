// SPDX-License-Identifier: MIT
//
// The predefined datatypes: a table, and the objects made from it.
//
// Ownership: made before main() starts, outside of any rank's memory, and never written afterwards: they are constants
//            that need a constructor.
// Source:    MPI 5.0, tables 3.1-3.4, 6.9.4; optional Fortran types as gfortran 12 has them.
#include <array>
#include <complex>
#include <cstddef>
#include <memory>

#include "smpi/datatype/basic_type.hpp"
#include "smpi/datatype/table.hpp"

namespace rehearse::smpi {
namespace {

template <class T>
constexpr BasicType scalar(MPI_Datatype handle, const char* name, TypeClass type_class, Storage storage) {
  return {handle, name, type_class, storage, sizeof(T), sizeof(T), alignof(T)};
}

template <class A, class B>
BasicType pair(MPI_Datatype handle, const char* name, Storage storage, MPI_Datatype first, MPI_Datatype second) {
  struct Layout {
    A first;
    B second;
  };
  return {handle,
          name,
          TypeClass::pair,
          storage,
          sizeof(A) + sizeof(B),
          sizeof(Layout),
          alignof(Layout),
          first,
          second,
          static_cast<std::int32_t>(offsetof(Layout, second))};
}

struct Complex16 {
  _Float16 real, imaginary;
};
struct Complex128 {
  __float128 real, imaginary;
};

#define SCALAR(mpi, type, type_class, storage) scalar<type>(mpi, #mpi, TypeClass::type_class, Storage::storage)
#define PAIR(mpi, a, b, storage, first, second) pair<a, b>(mpi, #mpi, Storage::storage, first, second)

// clang-format off
const BasicType table[] = {
    SCALAR(MPI_AINT, MPI_Aint, multi_language, int64),
    SCALAR(MPI_COUNT, MPI_Count, multi_language, int64),
    SCALAR(MPI_OFFSET, MPI_Offset, multi_language, int64),
    SCALAR(MPI_PACKED, char, packed, bytes),
    SCALAR(MPI_BYTE, char, byte, bytes),
    // C
    SCALAR(MPI_CHAR, char, character, int8),
    SCALAR(MPI_WCHAR, wchar_t, character, int32),
    SCALAR(MPI_SIGNED_CHAR, signed char, c_integer, int8),
    SCALAR(MPI_SHORT, short, c_integer, int16),
    SCALAR(MPI_INT, int, c_integer, int32),
    SCALAR(MPI_LONG, long, c_integer, int64),
    SCALAR(MPI_LONG_LONG_INT, long long, c_integer, int64),
    SCALAR(MPI_UNSIGNED_CHAR, unsigned char, c_integer, uint8),
    SCALAR(MPI_UNSIGNED_SHORT, unsigned short, c_integer, uint16),
    SCALAR(MPI_UNSIGNED, unsigned, c_integer, uint32),
    SCALAR(MPI_UNSIGNED_LONG, unsigned long, c_integer, uint64),
    SCALAR(MPI_UNSIGNED_LONG_LONG, unsigned long long, c_integer, uint64),
    SCALAR(MPI_INT8_T, std::int8_t, c_integer, int8),
    SCALAR(MPI_INT16_T, std::int16_t, c_integer, int16),
    SCALAR(MPI_INT32_T, std::int32_t, c_integer, int32),
    SCALAR(MPI_INT64_T, std::int64_t, c_integer, int64),
    SCALAR(MPI_UINT8_T, std::uint8_t, c_integer, uint8),
    SCALAR(MPI_UINT16_T, std::uint16_t, c_integer, uint16),
    SCALAR(MPI_UINT32_T, std::uint32_t, c_integer, uint32),
    SCALAR(MPI_UINT64_T, std::uint64_t, c_integer, uint64),
    SCALAR(MPI_FLOAT, float, floating, float32),
    SCALAR(MPI_DOUBLE, double, floating, float64),
    SCALAR(MPI_LONG_DOUBLE, long double, floating, float80),
    SCALAR(MPI_C_BOOL, bool, logical, bool8),
    SCALAR(MPI_C_COMPLEX, std::complex<float>, complex, complex32),
    SCALAR(MPI_C_DOUBLE_COMPLEX, std::complex<double>, complex, complex64),
    SCALAR(MPI_C_LONG_DOUBLE_COMPLEX, std::complex<long double>, complex, complex80),
    // C++
    SCALAR(MPI_CXX_BOOL, bool, logical, bool8),
    SCALAR(MPI_CXX_FLOAT_COMPLEX, std::complex<float>, complex, complex32),
    SCALAR(MPI_CXX_DOUBLE_COMPLEX, std::complex<double>, complex, complex64),
    SCALAR(MPI_CXX_LONG_DOUBLE_COMPLEX, std::complex<long double>, complex, complex80),
    // Fortran
    SCALAR(MPI_CHARACTER, char, character, bytes),
    SCALAR(MPI_LOGICAL, std::int32_t, logical, logical32),
    SCALAR(MPI_INTEGER, std::int32_t, fortran_integer, int32),
    SCALAR(MPI_REAL, float, floating, float32),
    SCALAR(MPI_DOUBLE_PRECISION, double, floating, float64),
    SCALAR(MPI_COMPLEX, std::complex<float>, complex, complex32),
    SCALAR(MPI_DOUBLE_COMPLEX, std::complex<double>, complex, complex64),
    SCALAR(MPI_LOGICAL1, std::int8_t, logical, logical8),
    SCALAR(MPI_LOGICAL2, std::int16_t, logical, logical16),
    SCALAR(MPI_LOGICAL4, std::int32_t, logical, logical32),
    SCALAR(MPI_LOGICAL8, std::int64_t, logical, logical64),
    SCALAR(MPI_LOGICAL16, __int128, logical, logical128),
    SCALAR(MPI_INTEGER1, std::int8_t, fortran_integer, int8),
    SCALAR(MPI_INTEGER2, std::int16_t, fortran_integer, int16),
    SCALAR(MPI_INTEGER4, std::int32_t, fortran_integer, int32),
    SCALAR(MPI_INTEGER8, std::int64_t, fortran_integer, int64),
    SCALAR(MPI_INTEGER16, __int128, fortran_integer, int128),
    SCALAR(MPI_REAL2, _Float16, floating, float16),
    SCALAR(MPI_REAL4, float, floating, float32),
    SCALAR(MPI_REAL8, double, floating, float64),
    SCALAR(MPI_REAL16, __float128, floating, float128),
    SCALAR(MPI_COMPLEX4, Complex16, complex, complex16),
    SCALAR(MPI_COMPLEX8, std::complex<float>, complex, complex32),
    SCALAR(MPI_COMPLEX16, std::complex<double>, complex, complex64),
    SCALAR(MPI_COMPLEX32, Complex128, complex, complex128),
    // For MPI_MAXLOC and MPI_MINLOC
    PAIR(MPI_FLOAT_INT, float, int, pair_float_int, MPI_FLOAT, MPI_INT),
    PAIR(MPI_DOUBLE_INT, double, int, pair_double_int, MPI_DOUBLE, MPI_INT),
    PAIR(MPI_LONG_INT, long, int, pair_long_int, MPI_LONG, MPI_INT),
    PAIR(MPI_2INT, int, int, pair_int_int, MPI_INT, MPI_INT),
    PAIR(MPI_SHORT_INT, short, int, pair_short_int, MPI_SHORT, MPI_INT),
    PAIR(MPI_LONG_DOUBLE_INT, long double, int, pair_long_double_int, MPI_LONG_DOUBLE, MPI_INT),
    PAIR(MPI_2REAL, float, float, pair_float_float, MPI_REAL, MPI_REAL),
    PAIR(MPI_2DOUBLE_PRECISION, double, double, pair_double_double, MPI_DOUBLE_PRECISION,
         MPI_DOUBLE_PRECISION),
    PAIR(MPI_2INTEGER, int, int, pair_int_int, MPI_INTEGER, MPI_INTEGER),
};

const BasicType markers[] = {
    {MPI_LB, "MPI_LB", TypeClass::marker, Storage::bytes, 0, 0, 1},
    {MPI_UB, "MPI_UB", TypeClass::marker, Storage::bytes, 0, 0, 1},
};
// clang-format on

#undef SCALAR
#undef PAIR

class PredefinedDatatypes {
 public:
  PredefinedDatatypes() {
    for (const BasicType& basic : table) {
      std::vector<Part> halves;
      if (basic.type_class == TypeClass::pair) {
        halves.push_back({.type = DatatypeRef(find(basic.first))});
        halves.push_back({.displacement = basic.second_offset, .type = DatatypeRef(find(basic.second))});
      }
      types_[index(basic.handle)] = std::make_unique<const Datatype>(basic, std::move(halves));
    }
    for (const BasicType& basic : markers) types_[index(basic.handle)] = std::make_unique<const Datatype>(basic);
  }

  const Datatype* find(MPI_Datatype handle) const {
    const std::uintptr_t i = index(handle);
    return i < types_.size() ? types_[i].get() : nullptr;
  }

 private:
  static std::uintptr_t index(MPI_Datatype handle) {
    return reinterpret_cast<std::uintptr_t>(handle) - reinterpret_cast<std::uintptr_t>(MPI_DATATYPE_NULL);
  }

  std::array<std::unique_ptr<const Datatype>, 0x100> types_;
};

const PredefinedDatatypes predefined;

}  // namespace

std::span<const BasicType> basic_types() { return table; }

const Datatype* predefined_datatype(MPI_Datatype handle) { return predefined.find(handle); }

}  // namespace rehearse::smpi
