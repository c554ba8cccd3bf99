// SPDX-License-Identifier: MIT
//
// Work in a process of its own, of which nothing but a text comes back: it may crash, hang or use up memory.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace rehearse::app {

// The text; nothing if the process ended in another way than with one, or took longer.
std::optional<std::string> text_from_isolated(const std::function<std::string()>& work, double max_seconds);

}  // namespace rehearse::app
