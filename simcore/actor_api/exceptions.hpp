// SPDX-License-Identifier: MIT
//
// The exceptions of the actor API.
//
// Errors: all but Killed are std::runtime_error. Killed unwinds the stack of an actor that is to end; it is not
//         a std::exception, so that handlers of those ignore it. An actor that catches it (`catch (...)`) is killed
//         again at the next call that can block.
#pragma once

#include <stdexcept>
#include <string>

namespace rehearse::sim {

struct TimeoutError : std::runtime_error {
  using runtime_error::runtime_error;
};
// The host of a computation is off or has failed.
struct HostFailure : std::runtime_error {
  using runtime_error::runtime_error;
};
// A link failed, or the actor at the other end has ended.
struct NetworkFailure : std::runtime_error {
  using runtime_error::runtime_error;
};
struct StorageFailure : std::runtime_error {
  using runtime_error::runtime_error;
};
// The awaited activity was cancelled.
struct CancelError : std::runtime_error {
  using runtime_error::runtime_error;
};
// The caller's mistake: a name that does not exist, a negative amount, an operation that is impossible here.
struct BadUse : std::runtime_error {
  using runtime_error::runtime_error;
};

// See above. Only the kernel throws it.
class Killed {};

}  // namespace rehearse::sim
