// SPDX-License-Identifier: MIT
//
// What can go wrong for an actor.
//
// Errors: all but Killed are std::runtime_error. Killed unwinds the stack of an actor that is to end; it is no
//         std::exception, so that handlers of those let it pass. Who swallows it (`catch (...)`) is killed again at
//         the next call that may block.
#pragma once

#include <stdexcept>
#include <string>

namespace rehearse::sim {

struct TimeoutError : std::runtime_error {
  using runtime_error::runtime_error;
};
// The host where something is computed is off, or went off meanwhile.
struct HostFailure : std::runtime_error {
  using runtime_error::runtime_error;
};
// A link went off, or the actor at the other end is no more.
struct NetworkFailure : std::runtime_error {
  using runtime_error::runtime_error;
};
struct StorageFailure : std::runtime_error {
  using runtime_error::runtime_error;
};
// Somebody cancelled what is waited for.
struct CancelError : std::runtime_error {
  using runtime_error::runtime_error;
};
// The caller's mistake: a name that does not exist, a negative amount, an operation that makes no sense here.
struct BadUse : std::runtime_error {
  using runtime_error::runtime_error;
};

// See above. Only the kernel throws it.
class Killed {};

}  // namespace rehearse::sim
