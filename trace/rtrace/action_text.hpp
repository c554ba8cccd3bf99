// SPDX-License-Identifier: MIT
//
// Recorded actions in words, for reports.
#pragma once

#include <string>

#include "trace/rtrace/event_conversion.hpp"

namespace rehearse::trace::rtrace {

// "MPI_Send: send to 1, tag 0, 8 bytes".
std::string text_of(const Asked& action, const Tables& tables);

}  // namespace rehearse::trace::rtrace
