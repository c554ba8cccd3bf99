// SPDX-License-Identifier: MIT
//
// Hints of windows: keys and values of their info objects.
#pragma once

#include <string_view>

#include "smpi/info/info.hpp"

namespace rehearse::smpi {

// Whether the hint is there and is "true".
bool is_true(const Hints& hints, std::string_view key);

// The hints that windows know, with their defaults where the standard names one.
Hints default_window_hints();
// Sets those of the given hints that windows know; ignores the others.
void set_window_hints(Hints& hints, const Hints& given);
// Whether atomic operations of one origin need not have the order of their start (accumulate_ordering).
bool is_order_relaxed(const Hints& hints);

}  // namespace rehearse::smpi
