// SPDX-License-Identifier: MIT
//
// The places of this program and of its files: the same in the build tree and in an installed tree.
//
// Shape: PREFIX/bin/rehearse, PREFIX/include/mpi.h, PREFIX/lib/libmpi_abi.so, PREFIX/libexec/rehearse/bin/mpicc...
// Errors: the program's path cannot be read, or mpi.h is not where it should be.
#pragma once

#include <string>

#include "simcore/support/result.hpp"

namespace rehearse::cli {

Result<std::string> own_program();
Result<std::string> own_prefix();

}  // namespace rehearse::cli
