// SPDX-License-Identifier: MIT
//
// The inspection of traces of calls, and of recordings as calls.
#pragma once

#include <string>
#include <vector>

#include "trace/inspection.hpp"

namespace rehearse::trace {

Result<Summary> summarise_calls(const std::string& path);
Result<std::vector<TraceDifference>> compare_calls(const std::string& one, const std::string& other, bool with_volumes);

}  // namespace rehearse::trace
