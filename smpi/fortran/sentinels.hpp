// SPDX-License-Identifier: MIT
//
// The addresses with a meaning in Fortran (MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE...): places in the COMMON block
// MPI_REHEARSE, which the program owns. mpif.h and the modules declare the same block, so all of them may be used in
// one program (smpi/fortran/interfaces.py).
//
// Threads: one address per rank; only on a rank.
#pragma once

#include <cstddef>
#include <cstdint>

#include "smpi/per_rank.hpp"

namespace rehearse::smpi::fortran {

// The places in the block, in bytes.
inline constexpr std::uintptr_t bottom_at = 0, in_place_at = 4, buffer_automatic_at = 8, error_codes_ignore_at = 12,
                                unweighted_at = 16, weights_empty_at = 20, status_ignore_at = 24,
                                statuses_ignore_at = 56, sentinels_bytes = 96;

// The block of one rank, looked up at the first use.
struct Sentinels {
  Sentinels();
  std::uintptr_t begin;  // an address that no pointer of a program has, if the program has no such block
};

// The place of a pointer in the block; sentinels_bytes or more: it is elsewhere.
inline std::uintptr_t sentinel_of(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) - per_rank<Sentinels>().begin;
}

}  // namespace rehearse::smpi::fortran
