// SPDX-License-Identifier: MIT
//
// Packets that a link with jitter holds back behind its delay: they can overtake each other there.
//
// Shape:   a packet has a slot from its arrival at the end of the link until its later date. Slots are used again.
// Threads: none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "simcore/packet/packet.hpp"

namespace rehearse::packet {

class HeldPackets {
 public:
  struct Held {
    Packet packet;
    std::uint32_t link = nothing;  // nothing: the slot is free
  };

  std::uint64_t size() const { return slots_.size() - free_.size(); }

  std::uint32_t put(const Packet& packet, std::uint32_t link) {
    if (free_.empty()) {
      slots_.push_back({packet, link});
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    slots_[slot] = {packet, link};
    return slot;
  }

  // Nothing: the packet with this order is gone.
  std::optional<Held> take(std::uint32_t slot, std::uint32_t order) {
    const Held held = slots_[slot];
    if (held.link == nothing || held.packet.order != order) return std::nullopt;
    release(slot);
    return held;
  }

  // All of the link, in the order of their arrival at its end.
  std::vector<Packet> take_all(std::uint32_t link) {
    std::vector<Packet> packets;
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
      if (slots_[slot].link != link) continue;
      packets.push_back(slots_[slot].packet);
      release(slot);
    }
    std::ranges::sort(packets, {}, &Packet::order);
    return packets;
  }

 private:
  void release(std::uint32_t slot) {
    slots_[slot].link = nothing;
    free_.push_back(slot);
  }

  std::vector<Held> slots_;
  std::vector<std::uint32_t> free_;
};

}  // namespace rehearse::packet
