// SPDX-License-Identifier: MIT
//
// The length of the union of intervals of time.
//
// Protocol: intervals come in the order of their ends.
#pragma once

#include <algorithm>
#include <vector>

#include "simcore/packet/packet.hpp"

namespace rehearse::packet {

class CoveredTime {
 public:
  void add(Picoseconds from, Picoseconds until) {
    while (!parts_.empty() && parts_.back().until >= from) {
      from = std::min(from, parts_.back().from);
      length_ -= parts_.back().until - parts_.back().from;
      parts_.pop_back();
    }
    parts_.push_back({from, until});
    length_ += until - from;
  }
  Picoseconds length() const { return length_; }

 private:
  struct Part {
    Picoseconds from, until;
  };
  std::vector<Part> parts_;  // disjoint, in order
  Picoseconds length_ = 0;
};

}  // namespace rehearse::packet
