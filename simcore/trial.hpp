// SPDX-License-Identifier: MIT
//
// Calling code of the program once more than it asks for, without a trace: in a copy of the process.
//
// Errors:  a function that does not come to its end (it asks for something, crashes, takes too long) has no result.
// Threads: only from an actor's own fiber.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace rehearse {

// Runs the function in a copy of this process, in which the calling actor cannot ask and no file is open. What it
// writes to the span that it is given, of the size of `result`, is in `result` afterwards. False: it did not come to
// its end, and `result` is as before.
bool run_in_copy(std::span<std::byte> result, const std::function<void(std::span<std::byte>)>& function);

}  // namespace rehearse
