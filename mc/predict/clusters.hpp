// SPDX-License-Identifier: MIT
//
// The messages and receives of an actor that compete with each other, and the matches that no order can change.
//
// A cluster has the receives of one actor that are connected by messages that they accept, and these messages. If all
// its messages come from one source, its matches are always the same: in posting order, each receive takes the first
// message, in sending order, that it accepts and that no receive before it has taken (the rule of non-overtaking).
#pragma once

#include <vector>

#include "mc/predict/course.hpp"

namespace rehearse::mc::predict {

struct Cluster {
  Index actor = 0;
  std::vector<Index> receives;  // in posting order
  std::vector<Index> messages;  // by source, then in sending order
};

// A determined match: of a message its receive, of a receive its message. none: it is left over. `open`: not
// determined.
struct Clusters {
  static constexpr Index open = none - 1;
  std::vector<Cluster> undetermined;
  std::vector<Index> receive_of;  // by message
  std::vector<Index> message_of;  // by receive
};

bool accepts(const Receive& receive, const Message& message);

// `is_timed`, by message: when the message is matched matters, so its cluster counts as undetermined.
Clusters clusters_of(const Course& course, const std::vector<bool>& is_timed);

}  // namespace rehearse::mc::predict
