// SPDX-License-Identifier: MIT
//
// Numbers of channels and messages.
#include "mc/flow/messages.hpp"

#include <algorithm>

#include "mc/history/words.hpp"

namespace rehearse::mc::flow {

Content content_of_send(const Node& node) {
  const Send& send = std::get<Send>(node.operation);
  history::Words words;
  words.add(send.tag, send.data.size(), send.signature);
  words.add_hash(node.data_hash);
  return {send.tag, words.hash(), &node};
}

Content content_of_arrival(const Node& node, std::uint32_t number) {
  const Collective& op = std::get<Collective>(node.operation);
  history::Words words;
  words.add(number, node.collective_hash, op.signature, op.flow, op.root, op.contribution.size(), op.origin.address);
  words.add_hash(node.data_hash);
  words.add_hash(history::hash_bytes(op.segment_bytes.data(), op.segment_bytes.size_bytes()));
  words.add_hash(history::hash_bytes(op.remark.data(), op.remark.size()));
  return {static_cast<Tag>(number), words.hash(), &node};
}

ChannelId Messages::channel(const Channel& channel) {
  const auto [found, is_new] = ids_.emplace(channel, static_cast<ChannelId>(channels_.size()));
  if (is_new) {
    channels_.push_back({channel, {}});
    channels_to_[channel.destination].push_back(found->second);
  }
  return found->second;
}

MessageId Messages::find_or_add(ChannelId channel, std::uint32_t number, const Content& content) {
  std::vector<std::vector<MessageId>>& numbers = channels_[channel].by_number;
  if (numbers.size() <= number) numbers.resize(number + std::size_t{1});
  for (const MessageId id : numbers[number])
    if (messages_[id].content.hash == content.hash) return id;
  const auto id = static_cast<MessageId>(messages_.size());
  messages_.push_back({channel, number, content});
  numbers[number].push_back(id);
  return id;
}

}  // namespace rehearse::mc::flow
