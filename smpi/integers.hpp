// SPDX-License-Identifier: MIT
//
// An array of counts or displacements of the program, with elements of int (the classic functions) or of MPI_Count or
// MPI_Aint (the large-count functions).
//
// Ownership: the program's memory. Nothing is copied; an element is read when it is asked for.
#pragma once

#include <type_traits>

#include "mpi.h"

namespace rehearse::smpi {

class Integers {
 public:
  Integers() = default;
  Integers(const int* values) : small_(values) {}
  Integers(const MPI_Count* values) : large_(values) {}

  const void* address() const {
    return large_ != nullptr ? static_cast<const void*>(large_) : static_cast<const void*>(small_);
  }
  MPI_Count operator[](int i) const { return large_ != nullptr ? large_[i] : small_[i]; }

 private:
  const int* small_ = nullptr;
  const MPI_Count* large_ = nullptr;
};

static_assert(std::is_same_v<MPI_Aint, MPI_Count>, "one constructor serves both");

}  // namespace rehearse::smpi
