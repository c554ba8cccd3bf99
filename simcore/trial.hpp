// SPDX-License-Identifier: MIT
//
// Runs code of the program in a copy of the process, so that the call has no effect on the program.
//
// Errors:  a function that does not finish (it asks the driver, crashes, takes too long) has no result.
// Threads: only from an actor's own fiber.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace rehearse {

// Runs the function in a copy of this process, in which the calling actor cannot ask and no file is open. The function
// writes to a span of the size of `result`, which is then copied to `result`. False: the function did not finish, and
// `result` is unchanged.
bool run_in_copy(std::span<std::byte> result, const std::function<void(std::span<std::byte>)>& function);

}  // namespace rehearse
