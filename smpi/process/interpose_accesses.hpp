// SPDX-License-Identifier: MIT
//
// Replacements for programs that report their reads and writes (rehearse cc --check-memory).
#pragma once

#include <string_view>

#include "smpi/process/interposers.hpp"

namespace rehearse::smpi {

// The library that such programs link to. Its functions are those below, and it is never loaded.
inline constexpr std::string_view access_library = "librehearse_accesses.so.1";

// The functions that they call, and replacements of functions of libc that access memory.
InterposerList access_interposers();

}  // namespace rehearse::smpi
