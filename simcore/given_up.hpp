// SPDX-License-Identifier: MIT
//
// Steps that are given up: whoever drives wants to end now, and an actor that does not come to its next Operation is
// taken away for that (FailureKind::given_up). It is not the actor's fault, and says nothing about it.
#pragma once

#include <functional>

namespace rehearse {

// Whether the driver wants to end. Asked at any moment, in signal handlers, too.
using GivesUp = std::function<bool()>;

}  // namespace rehearse
