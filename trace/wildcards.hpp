// SPDX-License-Identifier: MIT
//
// The message of a receive from any source, or with any tag, in a recording: the one that it took in the recorded
// execution, or the first that comes.
#pragma once

#include <cstdint>

namespace rehearse::trace {

enum class Wildcards : std::uint8_t { recorded, free };

}  // namespace rehearse::trace
