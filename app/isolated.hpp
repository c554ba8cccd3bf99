// SPDX-License-Identifier: MIT
//
// Work in a child process that returns only a text. The work may crash, hang or exhaust the memory.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace rehearse::app {

// The text; no value if the process ended without one, or took too long.
std::optional<std::string> text_from_isolated(const std::function<std::string()>& work, double max_seconds);

}  // namespace rehearse::app
