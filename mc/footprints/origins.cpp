// SPDX-License-Identifier: MIT
//
// See origins.hpp.
#include "mc/footprints/origins.hpp"

#include <algorithm>
#include <iterator>

namespace rehearse::mc::footprints {

namespace {

constexpr std::uint32_t most_depth = 2;  // of answers to answers

}  // namespace

Origins::Id Origins::find_or_add(const Key& key, std::uint32_t depth) {
  const auto [known, is_new] = known_.emplace(key, static_cast<Id>(depths_.size()));
  if (is_new) depths_.push_back(depth);
  return known->second;
}

std::vector<Origins::Id> Origins::of_emission(std::uint32_t point, const MessageId* taken, std::size_t index) {
  std::vector<Id> origins{find_or_add({false, point, index}, 0)};
  if (taken != nullptr)
    for (const Id origin : by_message_[*taken].origins)
      if (depths_[origin] < most_depth) origins.push_back(find_or_add({true, origin, index}, depths_[origin] + 1));
  std::ranges::sort(origins);
  return origins;
}

bool Origins::restrict(MessageId message, const std::vector<Id>& to) {
  if (by_message_.size() <= message) by_message_.resize(message + std::size_t{1});
  Entry& entry = by_message_[message];
  if (entry.is_new) {
    entry = {false, to};
    return false;
  }
  std::vector<Id> both;
  std::ranges::set_intersection(entry.origins, to, std::back_inserter(both));
  const bool loses = both.size() < entry.origins.size();
  entry.origins = std::move(both);
  return loses;
}

bool Origins::exclude(MessageId one, MessageId other) const {
  return std::ranges::find_first_of(of(one), of(other)) != of(one).end();
}

}  // namespace rehearse::mc::footprints
