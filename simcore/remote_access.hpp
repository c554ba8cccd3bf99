// SPDX-License-Identifier: MIT
//
// Operations about the memory of other actors: accesses in which their owners take no part, and the traffic of data
// that comes there in another way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "simcore/ids.hpp"
#include "simcore/origin.hpp"

namespace rehearse {

// A call of an Effect.
struct EffectCall {
  std::span<std::byte> data;        // of the RemoteAccess, as the last call left it
  std::vector<std::byte>& answer;   // goes back to the actor
  std::vector<ActorId>& waits_for;  // empty at the call; if the effect is not possible: the actors that must act first
};

// Reads and writes the memory of an actor while it is paused. Returns false if it is not possible yet; then it has
// changed nothing but `data` and `waits_for`. Runs outside of all actors: it allocates nothing in their memory.
using Effect = bool (*)(const EffectCall&);

// An access to the memory of `target` (which may be the caller) in which the target takes no part. The data goes there;
// the effect happens once, as soon as it is possible; the answer comes back and completes `request`. Accesses of one
// actor to one target in one context take effect in the order of their start. Only drivers that keep the memory of all
// actors at one date can do it. Observation: as that of a Post; the Completion has the answer as its data.
struct RemoteAccess {
  RequestId request;
  ActorId target;
  ContextId context;
  Effect effect = nullptr;
  std::span<const std::byte> data;  // the driver copies it
  std::uint64_t bytes_there = 0;    // that the network carries
  std::uint64_t bytes_back = 0;
  std::string_view missing = {};  // what EffectCall::waits_for must do: "to unlock..."; static storage
  bool blocking = false;
  Origin origin = {};
};

// Bytes that the network carries to `target` and, if `returns`, others that come back then; only for their time.
struct Traffic {
  ActorId target;
  std::uint64_t bytes_there = 0;
  std::uint64_t bytes_back = 0;
  bool returns = false;
};

// Waits until all Traffic of the actor has arrived. Other actors cannot observe it.
struct Settle {};

}  // namespace rehearse
