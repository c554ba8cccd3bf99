// SPDX-License-Identifier: MIT
//
// All messages that any actor may send, as far as they are known: of each channel and each number in it, the possible
// contents.
//
// A channel is a source, a destination and a context. The arrival at a collective is a message to each member that
// waits for it, in a channel of its own, with the number of the collective in its context as tag.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "mc/history/history.hpp"

namespace rehearse::mc::flow {

using history::Hash128;
using history::Node;

using ChannelId = std::uint32_t;
using MessageId = std::uint32_t;
constexpr MessageId no_message = ~MessageId{0};

struct Channel {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  ContextId context;
  bool of_collectives = false;
  auto operator<=>(const Channel&) const = default;
};

// What a receiver can learn from a message.
struct Content {
  Tag tag = 0;
  Hash128 hash;                // of all of it
  const Node* sent = nullptr;  // a Node with this Send or Collective; others may have the same content
};

// The content of the message that the Node sends, or of its arrival as the `number`-th collective of its context.
Content content_of_send(const Node& node);
Content content_of_arrival(const Node& node, std::uint32_t number);

class Messages {
 public:
  explicit Messages(std::uint32_t actors) : channels_to_(actors) {}

  ChannelId channel(const Channel& channel);
  const Channel& channel(ChannelId id) const { return channels_[id].channel; }
  std::uint32_t channel_count() const { return static_cast<std::uint32_t>(channels_.size()); }
  std::span<const ChannelId> channels_to(std::uint32_t actor) const { return channels_to_[actor]; }

  // The possible messages of each number in the channel. Valid until the next message is added.
  std::span<const std::vector<MessageId>> by_number(ChannelId id) const { return channels_[id].by_number; }

  struct Message {
    ChannelId channel = 0;
    std::uint32_t number = 0;
    Content content;
  };
  // The message with this content; it may be new.
  MessageId find_or_add(ChannelId channel, std::uint32_t number, const Content& content);
  const Message& message(MessageId id) const { return messages_[id]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(messages_.size()); }

 private:
  struct Known {
    Channel channel;
    std::vector<std::vector<MessageId>> by_number;
  };
  std::vector<Known> channels_;
  std::map<Channel, ChannelId> ids_;
  std::vector<std::vector<ChannelId>> channels_to_;
  std::vector<Message> messages_;
};

}  // namespace rehearse::mc::flow
