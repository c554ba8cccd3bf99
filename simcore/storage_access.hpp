// SPDX-License-Identifier: MIT
//
// An access to a file, for its time only: the actor itself moves the bytes. The driver knows the disks that hold files
// (file_system.hpp).
//
// Units: bytes.
#pragma once

#include <cstdint>
#include <span>

#include "simcore/ids.hpp"

namespace rehearse {

// Consecutive bytes of a file.
struct FileExtent {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
};

// Starts `request`, which is complete when all extents are read or written. With `blocking` the actor also waits for
// it. Without disks the access takes no time. Only drivers in simulated time can do it. Observation: as that of a Post;
// the Completion has no data.
struct StorageAccess {
  RequestId request;
  bool is_write = false;
  std::span<const FileExtent> extents;
  bool blocking = false;
};

}  // namespace rehearse
