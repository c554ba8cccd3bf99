// SPDX-License-Identifier: MIT
//
// What the predefined types of the ABI are made of: how the machine stores one element, and what
// MPI lets one do with it.
//
// Units:  sizes and alignments in bytes, as gcc and gfortran 12 use them on x86-64.
// Source: MPI 5.0, tables 3.1-3.4 (types), 6.9.2 (which operators they may be combined with).
#pragma once

#include <cstdint>

namespace rehearse::smpi {

// How one element is stored, which selects the arithmetic of reductions.
enum class Storage : std::uint8_t {
  int8,
  int16,
  int32,
  int64,
  int128,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  float32,
  float64,
  float80,
  float128,
  complex16,
  complex32,
  complex64,
  complex80,
  complex128,  // by their real part
  bool8,
  logical8,
  logical16,
  logical32,
  logical64,
  logical128,
  bytes,
  pair_float_int,
  pair_double_int,
  pair_long_int,
  pair_int_int,
  pair_short_int,
  pair_long_double_int,
  pair_float_float,
  pair_double_double
};

// The classes of MPI 5.0, 6.9.2, plus those that no predefined operator accepts.
enum class TypeClass : std::uint8_t {
  c_integer,
  fortran_integer,
  floating,
  logical,
  complex,
  byte,
  multi_language,
  pair,
  character,
  packed
};

struct BasicType {
  std::uint32_t handle = 0;  // the constant of the ABI
  const char* name = "";     // MPI_INT
  TypeClass type_class{};
  Storage storage{};
  std::int32_t size = 0;  // bytes of data (a pair's gap does not count)
  std::int32_t extent = 0;
  std::int32_t alignment = 1;
};

}  // namespace rehearse::smpi
