// SPDX-License-Identifier: MIT
//
// Typed identifiers that programs and drivers share.
#pragma once

#include <compare>
#include <cstdint>

namespace rehearse {

// An actor of a Program: 0 .. actor_count()-1.
struct ActorId {
  std::uint32_t value = 0;
  auto operator<=>(const ActorId&) const = default;
};

// A space of messages: messages and receives of different contexts never match. Programs choose the values; the same
// value means the same space for every actor.
struct ContextId {
  std::uint64_t value = 0;
  auto operator<=>(const ContextId&) const = default;
};

// A started operation of one actor (send, receive or collective), numbered 0, 1, 2... by that actor in the order
// in which it started them.
struct RequestId {
  std::uint32_t value = 0;
  auto operator<=>(const RequestId&) const = default;
};

using Tag = std::int32_t;

}  // namespace rehearse
