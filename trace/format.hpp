// SPDX-License-Identifier: MIT
//
// The formats of traces, which are recognised by their content.
//
// Errors: find_format(): a file that cannot be read, or has none of the formats.
#pragma once

#include <cstdint>
#include <string>

#include "simcore/support/result.hpp"

namespace rehearse::trace {

enum class Format : std::uint8_t { ti, rtrace, goal, goal_binary, otf2 };

inline bool is_goal(Format format) { return format == Format::goal || format == Format::goal_binary; }

Result<Format> find_format(const std::string& path);

// By content or by name: any text could be a time-independent trace.
bool is_surely_trace(const std::string& path);

}  // namespace rehearse::trace
