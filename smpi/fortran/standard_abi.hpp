// SPDX-License-Identifier: MIT
//
// The standard's ABI in Fortran: integers have the values of C, handles those of MPI_*_toint, a status has the words of
// MPI_Status. smpi/foreign/fortran_abi.hpp has the same for other MPI libraries; the entry points are templates over
// these classes.
#pragma once

#include <cstdint>

#include "mpi.h"
#include "smpi/abi/integer_handles.hpp"
#include "smpi/callbacks.hpp"
#include "smpi/fortran/sentinels.hpp"

namespace rehearse::smpi::fortran {

// Constants that have the same values in the program as here.
struct Same {};
constexpr int ours_of(Same, int value) { return value; }
constexpr int foreign_of(Same, int value) { return value; }

// What the buffers of mpi_f08 are: their addresses, or descriptors (section.hpp).
enum class Descriptors : std::uint8_t { none, of_c, of_gfortran };

void* named_choice(std::uintptr_t place, const void* pointer);

struct Standard {
  static constexpr Interface interface = Interface::fortran;
  static constexpr Descriptors descriptors = Descriptors::of_c;
  using Status = MPI_Status;

  static constexpr Same ranks{}, tags{}, errors{}, keyvals{}, comparisons{}, thread_levels{}, lock_types{}, whences{},
      orders{}, typeclasss{}, combiners{}, topologys{}, split_types{}, distributions{}, file_modes{}, win_asserts{};
  static constexpr long long mpi_displacement_current = MPI_DISPLACEMENT_CURRENT;

  template <class Handle>
  static Handle ours(int number) {
    return static_cast<Handle>(argument_of_integer(number));
  }
  template <class Handle>
  static int foreign(Handle handle) {
    return integer_of_handle(handle);
  }

  static void* buffer_of(const void* pointer) {
    const std::uintptr_t place = sentinel_of(pointer);
    return place < sentinels_bytes ? named_choice(place, pointer) : const_cast<void*>(pointer);
  }
  static bool is_ignored(const void* status) {
    const std::uintptr_t place = sentinel_of(status);
    return place >= status_ignore_at && place < sentinels_bytes;
  }
  static int* weights_of(int* weights) {
    const std::uintptr_t place = sentinel_of(weights);
    return place == unweighted_at ? MPI_UNWEIGHTED : place == weights_empty_at ? MPI_WEIGHTS_EMPTY : weights;
  }
  // MPI_BUFFER_AUTOMATIC of the program.
  static void* automatic_buffer() { return reinterpret_cast<void*>(per_rank<Sentinels>().begin + buffer_automatic_at); }
};

}  // namespace rehearse::smpi::fortran
