// SPDX-License-Identifier: MIT
//
// The memory of this process.
//
// Threads: any; signal handlers may call it.
// Source:  proc(5), statm.
#pragma once

#include <cstdint>

namespace rehearse::smpi {

// Bytes in memory now; 0: not known.
std::uint64_t process_bytes();

}  // namespace rehearse::smpi
