// SPDX-License-Identifier: MIT
//
// The disks of files in simulated time, by name.
//
// Form:   none, local, or HOST[,HOST...]: all disks of these hosts, in the order of the platform.
// Errors: `--file-system`, or the setting of the platform file: the value, and the accepted values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simcore/file_system.hpp"
#include "simcore/platform.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct FileSystemOptions {
  std::string where;                          // empty: as the platform says, or none
  std::optional<std::uint64_t> stripe_bytes;  // likewise, or 1 MiB
};

// Empty: accesses to files take no time.
Result<std::optional<FileSystem>> file_system_of(const FileSystemOptions& options, const Platform& platform);

}  // namespace rehearse::app
