// SPDX-License-Identifier: MIT
//
// Marks of an actor: the begin of a region that it names, or (an empty text) the end of the innermost one. Each is a
// Log on a separate stream and has no other effect. A Program makes them only if it was asked to.
#pragma once

namespace rehearse {

inline constexpr int mark_stream = 4;

}  // namespace rehearse
