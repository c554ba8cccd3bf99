// SPDX-License-Identifier: MIT
//
// The inspection of recordings.
#pragma once

#include <string>
#include <vector>

#include "trace/inspection.hpp"

namespace rehearse::trace::rtrace {

Result<Summary> summarise_recording(const std::string& path);
Result<std::uint64_t> count_recorded_sends(const std::string& path, std::uint64_t above, std::uint64_t to);
Result<std::vector<TraceDifference>> compare_recordings(const std::string& one, const std::string& other,
                                                        bool with_volumes);

}  // namespace rehearse::trace::rtrace
