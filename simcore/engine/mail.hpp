// SPDX-License-Identifier: MIT
//
// The messages on the way to one actor, and the channels in which it sends. Actors that only compute and take part in
// collectives have none.
//
// Ownership: channels and inboxes stay where they are as long as the actor; the timed driver owns the messages.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "simcore/ids.hpp"
#include "simcore/matching.hpp"

namespace rehearse::engine {

struct Message;
struct Inbox;

// From one source to one destination in one context: the messages that are not visible yet, in order.
struct Channel {
  Inbox* inbox = nullptr;
  Message* first = nullptr;
  Message* last = nullptr;
};

// One destination in one context. Neither it nor its channels move.
struct Inbox {
  Mailbox mailbox;
  std::unordered_map<std::uint32_t, Channel> channels;  // by source
};

// A channel in which an actor has sent recently.
struct KnownChannel {
  ActorId destination;
  ContextId context;
  Channel* channel = nullptr;
};

struct Mail {
  std::vector<Message*> taken;             // messages that the actor's probes have taken, in order
  std::map<std::uint64_t, Inbox> inboxes;  // by context
  std::uint64_t last_context = 0;
  Inbox* last_inbox = nullptr;
  std::array<KnownChannel, 4> known_channels;  // by destination
};

}  // namespace rehearse::engine
