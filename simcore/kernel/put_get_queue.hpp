// SPDX-License-Identifier: MIT
//
// Matches puts and gets: the common part of mailboxes and message queues.
//
// Home:      see far_side.hpp; messages whose home is not here are in none of the lists.
// Invariant: `unmatched` contains only puts or only gets. `arrived` holds a reference to each of its activities.
#pragma once

#include <cstdint>
#include <string>

#include "simcore/actor_api/actor_handle.hpp"
#include "simcore/kernel/intrusive_list.hpp"

namespace rehearse::sim::kernel {

struct PutGetQueue {
  static constexpr std::uint32_t here = ~0u, unknown = ~0u - 1;  // otherwise a process

  Kernel& kernel;
  std::string name;
  std::uint32_t id = 0;
  bool takes_time = true;     // messages cross the network
  bool holds_gets = false;    // `unmatched` contains gets
  ListNode unmatched = {};    // puts or gets without a partner
  ListNode arrived = {};      // for the permanent receiver: in transit or arrived
  ActorHandle receiver = {};  // the permanent one
  std::uint32_t home = here;

  // An empty queue is in the same state as at the beginning.
  void remove_unmatched(ListNode& node) {
    node.unlink();
    if (unmatched.empty()) holds_gets = false;
  }
};

}  // namespace rehearse::sim::kernel
