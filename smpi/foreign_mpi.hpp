// SPDX-License-Identifier: MIT
//
// Other MPI libraries: a program that was compiled for one runs with its binary interface (smpi/foreign).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rehearse::smpi {

enum class ForeignMpi : std::uint8_t { mpich, open_mpi };

inline std::string_view name_of(ForeignMpi library) { return library == ForeignMpi::mpich ? "MPICH" : "Open MPI"; }

// The library for which the calling rank's program was compiled; absent: the standard's ABI.
std::optional<ForeignMpi> foreign_mpi();

}  // namespace rehearse::smpi
