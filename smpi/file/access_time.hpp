// SPDX-License-Identifier: MIT
//
// The time of accesses to files, with drivers that know their disks (smpi/driver_services.hpp). With others: none.
//
// Units: bytes of the file.
#pragma once

#include <cstdint>
#include <span>

#include "mpi.h"
#include "smpi/file/file_view.hpp"

namespace rehearse::smpi {

// Waits while the first `bytes` bytes of these ranges are written or read.
void pass_access_time(std::span<const FileRange> ranges, std::int64_t bytes, bool writes);

// The same for the access of a request, a pending collective: from now on it is complete when both are over.
void add_access_time(MPI_Request request, std::span<const FileRange> ranges, std::int64_t bytes, bool writes);

}  // namespace rehearse::smpi
