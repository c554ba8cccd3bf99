// SPDX-License-Identifier: MIT
//
// The hash of a merged state: where each actor is, its open requests, and what is under way. Messages count by their
// content and the place that sent them, not by the Node: two histories of the sender may have sent the same message.
#include <algorithm>

#include "mc/reduction/merged_world.hpp"

namespace rehearse::mc::reduction {

using graph::Event;
using graph::EventIndex;
using graph::EventKind;
using graph::EventRef;
using graph::Graph;
using graph::no_event;

namespace {

constexpr std::uint64_t end_of_list = ~std::uint64_t{0};

}  // namespace

history::Hash128 MergedWorld::state() {
  words_.clear();
  for (std::uint32_t a = 0; a < graph().actor_count(); ++a) {
    add_actor_state(a);
    add_channels(a);
  }
  add_collectives();
  return history::hash_bytes(words_.data(), words_.size() * sizeof words_[0]);
}

// Whether the sender may wait for this message to be taken, so that it matters which request it belongs to.
bool MergedWorld::may_wait(const Send& send) const {
  if (send.mode == SendMode::buffered) return false;
  return send.mode == SendMode::synchronous || policy_.eager_bytes != Policy::infinite;
}

void MergedWorld::add_actor_state(std::uint32_t actor) {
  const Graph::Actor& a = graph().actor(actor);
  add(reinterpret_cast<std::uintptr_t>(a.node));
  add(a.issued);
  for (const EventIndex post : a.open_posts) {
    const Event& event = a.events[post];
    add(event.request.value);
    add(event.node->fingerprint);
    add(event.node->site);
  }
  add(end_of_list);
  for (const RequestId request : requests_[actor]) {
    const Event& started = a.events[a.requests[request.value]];
    add(request.value);
    add(static_cast<std::uint64_t>(started.kind));
    const bool is_matched = started.partner.event != no_event;
    add(is_matched);
    if (started.kind != EventKind::post || !is_matched) continue;
    const history::Node& sent = *graph().event(started.partner).node;
    add(started.partner.actor);
    add(sent.fingerprint);
    add(sent.site);
  }
  add(end_of_list);
}

// The messages that this actor can still receive.
void MergedWorld::add_channels(std::uint32_t actor) {
  const Graph::Actor& a = graph().actor(actor);
  for (std::uint32_t source = 0; source < graph().actor_count(); ++source) {
    if (a.open_inbox[source].empty()) continue;
    add(source);
    for (const EventIndex index : a.open_inbox[source]) {
      const Event& sent = graph().event({source, index});
      add(sent.node->fingerprint);
      add(sent.node->site);
      add(may_wait(std::get<Send>(sent.node->operation)) ? sent.request.value : end_of_list);
    }
    add(end_of_list);
  }
  add(end_of_list);
}

// In the order of contexts; in each context, instances are opened one after the other.
void MergedWorld::add_collectives() {
  boost::container::small_vector<const Open*, 8> sorted;
  for (const Open& open : opens_) sorted.push_back(&open);
  std::ranges::stable_sort(sorted, std::less<>(), [](const Open* open) { return open->instance->context; });
  for (const Open* open : sorted) {
    add(open->instance->context.value);
    add(open->done);
    for (std::uint32_t member = 0; member < graph().actor_count(); ++member) {
      const EventIndex arrival = open->instance->arrivals[member];
      if (arrival == no_event) continue;
      const Event& event = graph().event({member, arrival});
      add(member);
      add(event.request.value);
      add(event.node->fingerprint);
      add(event.node->site);
    }
    add(end_of_list);
  }
}

}  // namespace rehearse::mc::reduction
