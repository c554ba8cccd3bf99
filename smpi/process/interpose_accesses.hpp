// SPDX-License-Identifier: MIT
//
// For programs that report their reads and writes (rehearse cc --check-memory).
#pragma once

#include <string_view>

#include "smpi/process/interposers.hpp"

namespace rehearse::smpi {

// What such programs link to; its functions are those below, and it is never loaded.
inline constexpr std::string_view access_library = "librehearse_accesses.so.1";

// What they call, and functions of libc on memory in their place.
InterposerList access_interposers();

}  // namespace rehearse::smpi
