// SPDX-License-Identifier: MIT
//
// Work in a child process that returns lines of text, one after the other. Lines that it wrote before it died or was
// stopped are not lost.
//
// Signals: a stop ends the child. A signal of the terminal reaches it as well.
#pragma once

#include <functional>
#include <string>

#include "simcore/stop_token.hpp"

namespace rehearse::app {

using TakeLine = std::function<void(const std::string& line)>;

// `work` gets a function that sends a line (without line breaks in it). `take` gets each line in this process. Returns
// the cause of the death of the child ("by signal 11 (Segmentation fault)"); empty: it ended by itself, or was stopped.
// The child's standard input, output and error are /dev/null.
std::string lines_from_isolated(const std::function<void(const TakeLine& send)>& work, const TakeLine& take,
                                const StopToken& stop);

}  // namespace rehearse::app
