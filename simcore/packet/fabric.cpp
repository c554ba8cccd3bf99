// SPDX-License-Identifier: MIT
//
// Queues, transmitters and the turns of hosts, without back-pressure.
#include "simcore/packet/fabric.hpp"

#include <algorithm>

#include "simcore/packet/endpoints.hpp"
#include "simcore/packet/observer.hpp"
#include "simcore/support/assert.hpp"
#include "simcore/support/random.hpp"
#include "simcore/time.hpp"

namespace rehearse::packet {

Picoseconds Fabric::delay_of(double seconds) { return Duration::from_seconds(seconds).picoseconds; }

std::uint32_t Fabric::add(const NewLink& made) {
  const auto index = static_cast<std::uint32_t>(links_.size());
  LinkState& link = links_.emplace_back();
  link.origin = made.origin;
  link.picoseconds_per_byte = 1e12 / made.bytes_per_second;
  link.delay = delay_of(made.latency_seconds);
  SplitMix seed(parameters_.seed);
  link.draw = SplitMix(seed.next() ^ (made.origin + 1) * 0x9e3779b97f4a7c15u).next();
  set_losses(link, made.own);
  link.jitter = made.own.jitter.value_or(parameters_.jitter);
  if (const std::uint64_t ecn = made.own.ecn.value_or(parameters_.ecn)) link.ecn = ecn;
  if (parameters_.is_lossless()) {
    link.buffer = static_cast<std::uint32_t>(buffers_.size());
    buffers_.emplace_back().credits = parameters_.buffer;
  } else if (made.has_queue) {
    if (const std::uint64_t bytes = made.own.queue.value_or(parameters_.queue)) link.queue_bytes = bytes;
    if (const std::uint64_t packets = made.own.queue_packets.value_or(parameters_.queue_packets))
      link.queue_packets = static_cast<std::uint32_t>(std::min<std::uint64_t>(packets, nothing));
  }
  const std::uint64_t full = parameters_.full_packet();
  link.alarm_bytes = std::min(link.ecn, link.queue_bytes - std::min(link.queue_bytes, full));
  if (link.queue_packets != nothing) link.alarm_packets = link.queue_packets - 1;
  return index;
}

void Fabric::set_losses(LinkState& link, const LinkParameters& own) {
  link.loss = own.loss.value_or(parameters_.loss);
  link.error = own.error.value_or(parameters_.error);
  std::vector<LossRule> rules = own.rules;
  if (own.loss_window) {
    rules.push_back({link.loss, link.error, *own.loss_window});
    link.loss = link.error = 0;
  }
  if (!rules.empty()) {
    link.rules = static_cast<std::uint32_t>(loss_rules_.size());
    loss_rules_.push_back(std::move(rules));
  }
  link.has_losses = link.loss > 0 || link.error > 0 || link.rules != nothing;
}

std::uint32_t Fabric::add_copy(std::uint32_t original, std::uint64_t salt) {
  std::uint32_t index;
  if (free_links_.empty()) {
    index = static_cast<std::uint32_t>(links_.size());
    links_.emplace_back();
    if (parameters_.is_lossless()) {
      links_[index].buffer = static_cast<std::uint32_t>(buffers_.size());
      buffers_.emplace_back();
    }
  } else {
    index = free_links_.back();
    free_links_.pop_back();
  }
  const LinkState& model = links_[original];
  LinkState& link = links_[index];
  link.free_at = 0;
  link.picoseconds_per_byte = model.picoseconds_per_byte;
  link.delay = model.delay;
  link.loss = model.loss;
  link.error = model.error;
  link.rules = model.rules;
  link.jitter = model.jitter;
  link.held = 0;
  link.has_losses = model.has_losses;
  link.origin = original;
  link.is_copy = true;
  link.draw = SplitMix(model.draw ^ salt).next();
  link.is_on = model.is_on;
  if (link.buffer != nothing) buffers_[link.buffer].credits = parameters_.buffer;
  return index;
}

void Fabric::remove_copy(std::uint32_t copy) {
  LinkState& link = links_[copy];
  LinkTotals& all = links_[link.origin].totals;
  all.packets += link.totals.packets;
  all.bytes += link.totals.bytes;
  all.drops += link.totals.drops;
  all.lost += link.totals.lost;
  all.longest_queue = std::max(all.longest_queue, link.totals.longest_queue);
  link.totals = {};
  link.ring.clear();
  link.started = 0;
  link.waiting = 0;
  free_links_.push_back(copy);
}

void Fabric::step() {
  const Event event = events_.top();
  ++handled_;
  const std::uint32_t index = event.subject / 8;
  switch (static_cast<LinkEvent>(event.subject % 8)) {
    case LinkEvent::arrival: return arrive(event);
    case LinkEvent::wake: events_.pop(); return wake(index, event.date);
    case LinkEvent::credit:
      events_.pop();
      if (buffers_[links_[index].buffer].credit_event == event.date)
        buffers_[links_[index].buffer].credit_event = no_date;
      return serve_buffer(index, event.date);
    case LinkEvent::stop:
      events_.pop();
      buffers_[links_[index].buffer].is_stopped = true;
      return;
    case LinkEvent::go:
      events_.pop();
      buffers_[links_[index].buffer].is_stopped = false;
      return serve_buffer(index, event.date);
    case LinkEvent::release: return release(index, event);
  }
}

void Fabric::arrive(const Event& event) {
  const std::uint32_t index = event.subject / 8;
  LinkState& link = links_[index];
  if (link.ring.empty() || link.ring.front().order != event.order) return events_.pop();  // of packets that are gone
  Packet packet = link.ring.front();
  link.ring.pop_front();
  const std::uint32_t bytes = wire_bytes(packet);
  if (link.started > 0) --link.started;
  else link.waiting -= bytes;
  if (link.ring.empty()) events_.pop();
  else events_.replace_top({link.ring.front().date, link.ring.front().order, event.subject});
  fetch_next();
  if (packet.flags & discarded) {
    if (parameters_.lossless == Lossless::credit && !paths_.is_last(packet.hop)) give_back(index, bytes, event.date);
    return ends_.lose(paths_.end_of(packet.hop), packet, event.date);
  }
  if (link.jitter > 0) return hold_back(index, packet, event.date);
  pass_on(index, packet, bytes, event.date);
}

// From the end of a link to the next one, or to the host.
inline void Fabric::pass_on(std::uint32_t index, Packet& packet, std::uint32_t bytes, Picoseconds now) {
  const LinkState& link = links_[index];
  const std::uint32_t next = paths_[packet.hop + 1];
  if (Paths::is_end(next)) return ends_.receive(next & ~Paths::mark, packet, now);
  Picoseconds tail = now;
  if (parameters_.is_cut_through) tail += link.duration(bytes) - link.duration(head_bytes(bytes));
  ++packet.hop;
  if (link.buffer != nothing) enter_buffer(next, packet, now, tail);
  else enter(next, packet, now + parameters_.switch_delay, tail + parameters_.switch_delay);
}

// Drawn from the number of the packet on its link, as losses are.
void Fabric::hold_back(std::uint32_t index, Packet& packet, Picoseconds now) {
  LinkState& link = links_[index];
  const double share = SplitMix(~link.draw + link.held++).uniform();
  packet.order = order_++;
  const Picoseconds date = now + static_cast<Picoseconds>(share * static_cast<double>(link.jitter) + 0.5);
  events_.push({date, packet.order, held_.put(packet, index) * 8 + static_cast<std::uint32_t>(LinkEvent::release)});
}

void Fabric::release(std::uint32_t slot, const Event& event) {
  events_.pop();
  fetch_next();
  auto held = held_.take(slot, event.order);
  if (held) pass_on(held->link, held->packet, wire_bytes(held->packet), event.date);
}

// At the queue of a switch.
void Fabric::enter(std::uint32_t index, Packet& packet, Picoseconds now, Picoseconds tail) {
  LinkState& link = links_[index];
  const std::uint32_t bytes = wire_bytes(packet);
  if (link.free_at <= now) {
    if (!link.is_on) return drop(link, packet, now);
    link.started = link.ring.size() + 1;
    link.waiting = 0;
    // A cut-through switch never runs dry.
    const Picoseconds start = parameters_.is_cut_through ? std::max(now, tail - link.duration(bytes)) : now;
    return put(index, packet, start, bytes);
  }
  settle(link, now);
  const bool is_long = link.waiting + bytes > link.alarm_bytes || link.ring.size() - link.started >= link.alarm_packets;
  if (is_long && !has_room(link, packet, bytes)) return drop(link, packet, now);
  link.waiting += bytes;
  link.totals.longest_queue = std::max(link.totals.longest_queue, link.waiting);
  Picoseconds start = link.free_at;
  if (parameters_.is_cut_through) start = std::max(start, tail - link.duration(bytes));
  put(index, packet, start, bytes);
  if (is_long) note_full(link, now);
  if (observer_ != nullptr) observer_->on_wait(index, bytes, now, start);
}

// Marks the packet if there is room, but the queue is long.
bool Fabric::has_room(LinkState& link, Packet& packet, std::uint32_t bytes) const {
  if (link.waiting + bytes > link.queue_bytes || link.ring.size() - link.started >= link.queue_packets) return false;
  if (link.waiting + bytes <= link.ecn) return true;
  packet.flags |= congested;
  ++link.totals.marks;
  return true;
}

bool Fabric::is_full(const LinkState& link, std::uint64_t bytes, std::uint32_t packets) const {
  return bytes + parameters_.full_packet() > link.queue_bytes || packets >= link.queue_packets;
}

// The queue has become longer. The dates at which its packets leave are known.
void Fabric::note_full(LinkState& link, Picoseconds now) {
  std::uint64_t bytes = link.waiting;
  Picoseconds until = now;
  for (std::uint32_t i = link.started; i < link.ring.size() && is_full(link, bytes, link.ring.size() - i); ++i) {
    until = start_of(link, link.ring[i]);
    bytes -= wire_bytes(link.ring[i]);
  }
  const Picoseconds from = std::max(now, link.full_until);
  if (until <= from) return;
  link.totals.full += until - from;
  link.full_until = until;
}

// The dates at which its packets leave have changed.
void Fabric::stop_full(LinkState& link, Picoseconds now) {
  link.totals.full -= std::max<Picoseconds>(link.full_until - now, 0);
  link.full_until = std::min(link.full_until, now);
}

void Fabric::report_waits(std::uint32_t index, Picoseconds now) {
  if (observer_ == nullptr) return;
  const LinkState& link = links_[index];
  observer_->on_requeue(index, now);
  for (std::uint32_t i = link.started; i < link.ring.size(); ++i)
    observer_->on_wait(index, wire_bytes(link.ring[i]), now, start_of(link, link.ring[i]));
}

Picoseconds Fabric::start_of(const LinkState& link, const Packet& packet) const {
  const std::uint32_t bytes = wire_bytes(packet);
  const bool is_head = parameters_.is_cut_through && !paths_.is_last(packet.hop);
  return packet.date - link.delay - link.duration(is_head ? head_bytes(bytes) : bytes);
}

// Counts the packets that have left the queue.
void Fabric::settle(LinkState& link, Picoseconds now) {
  while (link.started < link.ring.size()) {
    const Packet& packet = link.ring[link.started];
    if (start_of(link, packet) > now) return;
    link.waiting -= wire_bytes(packet);
    ++link.started;
  }
}

void Fabric::put(std::uint32_t index, Packet& packet, Picoseconds start, std::uint32_t bytes) {
  LinkState& link = links_[index];
  const Picoseconds duration = link.duration(bytes);
  link.free_at = start + duration;
  packet.date = link.free_at + link.delay;
  if (parameters_.is_cut_through && !paths_.is_last(packet.hop))
    packet.date = start + link.duration(head_bytes(bytes)) + link.delay;
  if (link.buffer != nothing && !paths_.is_last(packet.hop)) packet.date += parameters_.switch_delay;
  packet.order = order_++;
  ++hops_;
  const bool is_lost_here = link.has_losses && is_lost(link, bytes, start);
  const bool is_lost_on_way = pair_losses_ != nullptr && is_lost_between(packet, bytes, start);
  if (is_lost_here || is_lost_on_way) {
    packet.flags |= discarded;
    ++link.totals.lost;
  }
  ++link.totals.packets;
  link.totals.bytes += bytes;
  if (observer_ != nullptr) observer_->on_transmission(index, packet, start);
  if (link.ring.empty()) {
    events_.push({packet.date, packet.order, index * 8 + static_cast<std::uint32_t>(LinkEvent::arrival)});
  } else if (packet.date < link.ring.back().date) {  // a latency became less: packets do not overtake
    packet.date = link.ring.back().date;
  }
  link.ring.push_back(packet);
}

// Drawn from the number of the packet on its link, so that the traffic elsewhere changes nothing.
bool Fabric::is_lost(const LinkState& link, std::uint32_t bytes, Picoseconds start) const {
  double kept = kept_share(link.loss, link.error, bytes);
  if (link.rules != nothing) kept *= kept_share(loss_rules_[link.rules], bytes, start);
  return SplitMix(link.draw + link.totals.packets).uniform() >= kept;
}

// Losses between hosts happen on the last link.
bool Fabric::is_lost_between(const Packet& packet, std::uint32_t bytes, Picoseconds start) {
  return paths_.is_last(packet.hop) && pair_losses_->is_lost(paths_.end_of(packet.hop), bytes, start);
}

void Fabric::drop(LinkState& link, const Packet& packet, Picoseconds now) {
  ++link.totals.drops;
  ends_.lose(paths_.end_of(packet.hop), packet, now);
}

void Fabric::inject(Packet packet, Picoseconds now) {
  const std::uint32_t index = paths_[packet.hop];
  if (links_[index].buffer != nothing) enter_buffer(index, packet, now, now);
  else enter(index, packet, now, now);
}

void Fabric::offer(std::uint32_t index, std::uint32_t sender, std::uint32_t packets, Picoseconds now) {
  LinkState& link = links_[index];
  if (link.turns == nothing) {
    link.turns = static_cast<std::uint32_t>(turns_.size());
    turns_.emplace_back();
  }
  turns_[link.turns].ring.push_back({sender, packets});
  if (link.buffer != nothing) serve_buffer(index, now);
  else serve_host(index, now);
}

void Fabric::serve_host(std::uint32_t index, Picoseconds now) {
  LinkState& link = links_[index];
  Turns& turns = turns_[link.turns];
  Packet packet;
  if (link.free_at <= now && take_from_host(link, packet, now)) {
    const std::uint32_t bytes = wire_bytes(packet);
    if (link.is_on) {
      link.started = link.ring.size() + 1;
      link.waiting = 0;
      put(index, packet, now, bytes);
    } else {
      drop(link, packet, now);
    }
  }
  if (turns.ring.empty() || turns.is_awaited) return;
  turns.is_awaited = true;
  ask(std::max(now, link.free_at), index, LinkEvent::wake);
}

// The next packet of the host's senders.
bool Fabric::take_from_host(LinkState& link, Packet& packet, Picoseconds now) {
  Ring<Turn>& ring = turns_[link.turns].ring;
  while (!ring.empty()) {
    Turn turn = ring.front();
    const Offer offer = ends_.next_packet(turn.sender, packet, now);
    const bool has_fifo = parameters_.arbitration == Arbitration::fifo;
    if (has_fifo && offer != Offer::none) --turn.packets;
    if (has_fifo && offer == Offer::more && turn.packets > 0) {
      ring.front() = turn;
      return true;
    }
    ring.pop_front();
    if (has_fifo && offer == Offer::more) {  // more than was handed over: behind the others
      ends_.extend(turn.sender);
      ring.push_back({turn.sender, 1});
    } else if (has_fifo) {
      ends_.withdraw(turn.sender, turn.packets);
    }
    if (!has_fifo && offer == Offer::more) ring.push_back(turn);
    if (offer != Offer::none) return true;
  }
  return false;
}

void Fabric::wake(std::uint32_t index, Picoseconds now) {
  LinkState& link = links_[index];
  if (link.buffer != nothing) return end_transmission(index, now);
  turns_[link.turns].is_awaited = false;
  if (!turns_[link.turns].ring.empty()) serve_host(index, now);
}

std::uint64_t Fabric::packets_inside() const {
  std::uint64_t packets = held_.size();
  for (const LinkState& link : links_) packets += link.ring.size();
  for (const Buffer& buffer : buffers_) packets += buffer.waiting.size();
  return packets;
}

std::uint64_t Fabric::waiting_from(std::uint32_t link) const {
  std::uint64_t bytes = 0;
  for (const Buffer& buffer : buffers_)
    for (std::uint32_t i = 0; i < buffer.waiting.size(); ++i)
      if (paths_[buffer.waiting[i].hop - 1] == link) bytes += wire_bytes(buffer.waiting[i]);
  return bytes;
}

void Fabric::set_bandwidth(std::uint32_t index, double bytes_per_second, Picoseconds now) {
  LinkState& link = links_[index];
  if (link.buffer == nothing) settle(link, now);
  // The packets that wait start later or earlier. Those that have started are finished at the old speed.
  Picoseconds free_at = now;
  if (link.started > 0) {
    const Packet& last = link.ring[link.started - 1];
    free_at = std::max(now, start_of(link, last) + link.duration(wire_bytes(last)));
  }
  link.picoseconds_per_byte = 1e12 / bytes_per_second;
  if (link.buffer != nothing || link.started == link.ring.size()) return;
  for (std::uint32_t i = link.started; i < link.ring.size(); ++i) {
    Packet& packet = link.ring[i];
    const std::uint32_t bytes = wire_bytes(packet);
    const bool is_head = parameters_.is_cut_through && !paths_.is_last(packet.hop);
    packet.date = free_at + link.delay + link.duration(is_head ? head_bytes(bytes) : bytes);
    packet.order = order_++;
    free_at += link.duration(bytes);
  }
  link.free_at = free_at;
  const Packet& front = link.ring.front();
  if (link.started == 0) events_.push({front.date, front.order, index * 8});
  stop_full(link, now);
  note_full(link, now);
  report_waits(index, now);
}

void Fabric::set_on(std::uint32_t index, bool is_on, Picoseconds now) {
  LinkState& link = links_[index];
  link.is_on = is_on;
  if (is_on) return;
  for (const Packet& packet : held_.take_all(index)) drop(link, packet, now);
  Ring<Packet> gone;
  std::swap(gone, link.ring);
  link.started = 0;
  link.waiting = 0;
  link.free_at = now;
  stop_full(link, now);
  report_waits(index, now);
  if (link.buffer != nothing) {
    Ring<Packet>& waiting = buffers_[link.buffer].waiting;
    for (; !waiting.empty(); waiting.pop_front()) gone.push_back(waiting.front());
    buffers_[link.buffer].credits = parameters_.buffer;
  }
  for (; !gone.empty(); gone.pop_front()) drop(link, gone.front(), now);
}

}  // namespace rehearse::packet
