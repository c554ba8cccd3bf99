// SPDX-License-Identifier: MIT
//
// The predefined types of the ABI: the machine type of one element, and the permitted uses in MPI.
//
// Units:  sizes and alignments in bytes, as gcc and gfortran 12 use them on x86-64.
// Source: MPI 5.0, tables 3.1-3.4 (types), 6.9.2 (which operators they may be combined with).
#pragma once

#include <cstdint>
#include <span>

#include "mpi.h"

namespace rehearse::smpi {

// The machine format of one element, which selects the arithmetic of reductions. Complex types are named by the size of
// their real part, pairs by their halves.
// clang-format off
enum class Storage : std::uint8_t {
  int8, int16, int32, int64, int128, uint8, uint16, uint32, uint64,
  float16, float32, float64, float80, float128,
  complex16, complex32, complex64, complex80, complex128,
  bool8, logical8, logical16, logical32, logical64, logical128,
  bytes,
  pair_float_int, pair_double_int, pair_long_int, pair_int_int, pair_short_int,
  pair_long_double_int, pair_float_float, pair_double_double
};

// The classes of MPI 5.0, 6.9.2, and further classes that no predefined operator accepts.
enum class TypeClass : std::uint8_t {
  c_integer, fortran_integer, floating, logical, complex, byte, multi_language, pair,
  character, packed,
  marker  // MPI_LB and MPI_UB: no data, only a bound of the types that have it as a part
};
// clang-format on

struct BasicType {
  MPI_Datatype handle;
  const char* name;  // "MPI_INT"
  TypeClass type_class;
  Storage storage;
  std::int32_t size;  // bytes of data: the gap of a pair does not count
  std::int32_t extent;
  std::int32_t alignment;
  // Of pairs: their two basic types, and the offset of the second one.
  MPI_Datatype first = MPI_DATATYPE_NULL;
  MPI_Datatype second = MPI_DATATYPE_NULL;
  std::int32_t second_offset = 0;
};

// All predefined types that hold data; halves of a pair come before it.
std::span<const BasicType> basic_types();

}  // namespace rehearse::smpi
