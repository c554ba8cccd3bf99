// SPDX-License-Identifier: MIT
//
// The links of all connections, one after the other in one table, so that a packet needs only its place in it.
//
// Shape:     a path is a mark, its links in order, and a mark with the connection and the direction.
// Ownership: a path's place is free for others after remove().
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simcore/packet/packet.hpp"

namespace rehearse::packet {

class Paths {
 public:
  // Ends: connection * 2, + 1 for the way back.
  static constexpr std::uint32_t mark = 0x8000'0000u;

  // The place of its first link.
  std::uint32_t add(std::span<const std::uint32_t> links, std::uint32_t end) {
    const std::size_t length = links.size() + 2;
    if (length >= free_.size()) free_.resize(length + 1);
    std::uint32_t place;
    if (!free_[length].empty()) {
      place = free_[length].back();
      free_[length].pop_back();
    } else {
      place = static_cast<std::uint32_t>(table_.size());
      table_.resize(table_.size() + length);
    }
    table_[place] = mark;
    for (std::size_t i = 0; i < links.size(); ++i) table_[place + 1 + i] = links[i];
    table_[place + length - 1] = mark | end;
    return place + 1;
  }
  void remove(std::uint32_t first) { free_[links(first).size() + 2].push_back(first - 1); }

  std::uint32_t operator[](std::uint32_t place) const { return table_[place]; }
  static bool is_end(std::uint32_t entry) { return (entry & mark) != 0; }
  bool is_last(std::uint32_t place) const { return is_end(table_[place + 1]); }
  bool is_first(std::uint32_t place) const { return is_end(table_[place - 1]); }
  std::uint32_t end_of(std::uint32_t place) const {
    while (!is_end(table_[place])) ++place;
    return table_[place] & ~mark;
  }
  std::span<const std::uint32_t> links(std::uint32_t first) const {
    std::uint32_t end = first;
    while (!is_end(table_[end])) ++end;
    return {table_.data() + first, end - first};
  }

 private:
  std::vector<std::uint32_t> table_;
  std::vector<std::vector<std::uint32_t>> free_;  // by length with marks
};

}  // namespace rehearse::packet
