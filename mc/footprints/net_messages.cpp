// SPDX-License-Identifier: MIT
//
// See net_messages.hpp.
#include "mc/footprints/net_messages.hpp"

#include <algorithm>

namespace rehearse::mc::footprints {

void NetMessages::clear() {
  messages_.clear();
  channels_.clear();
  groups_.clear();
  origins_.clear();
}

NetMessages::Added NetMessages::add(const Message& message, const std::vector<Origins::Id>& origins) {
  State& channel = channels_[{message.line(), message.destination}];
  if (channel.numbers.size() <= message.number) channel.numbers.resize(message.number + std::size_t{1});
  std::vector<MessageId>& same_number = channel.numbers[message.number];
  const auto known =
      std::ranges::find_if(same_number, [&](MessageId other) { return messages_[other].content == message.content; });
  Added added;
  if (known != same_number.end()) {
    added.message = *known;
    added.needs_less = rules_.joins_needs && join(messages_[*known].needs, message.needs);
    added.loses_origins = rules_.all_senders && origins_.restrict(*known, origins);
    channel.version += added.needs_less;
    lost_origins_ += added.loses_origins;
    return added;
  }
  added.message = static_cast<MessageId>(messages_.size());
  added.is_new = true;
  messages_.push_back(message);
  groups_.push_back(added.message);
  origins_.restrict(added.message, origins);
  same_number.push_back(added.message);
  ++channel.version;
  return added;
}

void NetMessages::unite(MessageId one, MessageId other) { groups_[group_of(other)] = group_of(one); }

MessageId NetMessages::group_of(MessageId message) const {
  while (groups_[message] != message) message = groups_[message];
  return message;
}

}  // namespace rehearse::mc::footprints
