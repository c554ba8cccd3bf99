// SPDX-License-Identifier: MIT
//
// See connections.hpp.
#include "simcore/cost/connections.hpp"

#include "simcore/support/assert.hpp"

namespace rehearse::cost {

std::uint32_t Connections::find(std::uint64_t number) {
  Recent& recent = recent_[number * 0x9e3779b97f4a7c15u >> (64 - recent_bits)];
  if (recent.connection != none && recent.number == number) return recent.connection;
  const auto [found, is_new] = connection_of_.try_emplace(number, static_cast<std::uint32_t>(last_slot_.size()));
  if (is_new) last_slot_.push_back(none);
  recent = {number, found->second};
  return found->second;
}

bool Connections::join(std::uint64_t number, std::uint32_t slot, TimePoint ready) {
  if (slot >= places_.size()) places_.resize(slot + 1);
  REHEARSE_ASSERT(places_[slot].connection == none, "a transfer joins one connection");
  const std::uint32_t connection = find(number);
  const std::uint32_t previous = last_slot_[connection];
  last_slot_[connection] = slot;
  places_[slot] = {connection, previous, none, ready};
  if (previous == none) return false;
  places_[previous].next = slot;
  return true;
}

std::uint32_t Connections::leave(std::uint32_t slot) {
  if (slot >= places_.size() || places_[slot].connection == none) return none;
  const Place place = places_[slot];
  places_[slot].connection = none;
  if (place.next == none) last_slot_[place.connection] = place.previous;
  else places_[place.next].previous = place.previous;
  if (place.previous != none) {
    places_[place.previous].next = place.next;
    return none;
  }
  return place.next;
}

}  // namespace rehearse::cost
