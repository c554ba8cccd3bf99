// SPDX-License-Identifier: MIT
//
// Back-pressure: credits for the room at the end of each link (InfiniBand), or pauses (IEEE 802.1Qbb).
//
// Events: the arrival of a packet, and the end of its transmission if another one waits for it. Credits on their way
//         back are no events unless the transmitter waits for them.
#include <algorithm>

#include "simcore/packet/endpoints.hpp"
#include "simcore/packet/fabric.hpp"
#include "simcore/packet/observer.hpp"

namespace rehearse::packet {

void Fabric::enter_buffer(std::uint32_t index, Packet& packet, Picoseconds now, Picoseconds tail) {
  LinkState& link = links_[index];
  const std::uint32_t bytes = wire_bytes(packet);
  if (!link.is_on) return drop(link, packet, now);
  Buffer& buffer = buffers_[link.buffer];
  if (link.waiting + bytes > link.ecn && (buffer.busy_until > now || !buffer.waiting.empty())) {
    packet.flags |= congested;
    ++link.totals.marks;
  }
  packet.date = tail;
  buffer.waiting.push_back(packet);
  link.waiting += bytes;
  if (parameters_.lossless == Lossless::pfc && !paths_.is_first(packet.hop))
    account_ingress(paths_[packet.hop - 1], bytes, now);
  serve_buffer(index, now);
  link.totals.longest_queue = std::max(link.totals.longest_queue, link.waiting);
}

// Asks the sender over the link to stop when too much of it waits here.
void Fabric::account_ingress(std::uint32_t came, std::uint32_t bytes, Picoseconds now) {
  LinkState& link = links_[came];
  Buffer& buffer = buffers_[link.buffer];
  buffer.ingress += bytes;
  if (buffer.ingress <= parameters_.xoff || buffer.has_asked_to_stop) return;
  buffer.has_asked_to_stop = true;
  ++link.totals.pauses;
  ask(now + link.delay, came, LinkEvent::stop);
}

void Fabric::serve_buffer(std::uint32_t index, Picoseconds now) {
  LinkState& link = links_[index];
  Buffer& buffer = buffers_[link.buffer];
  if (buffer.busy_until > now || buffer.is_awaited) return await_end(index, buffer);
  if (buffer.waiting.empty()) {
    Packet packet;
    if (link.turns == nothing || buffer.is_stopped || !take_from_host(link, packet, now)) return;
    if (!link.is_on) return drop(link, packet, now);
    packet.date = now;
    buffer.waiting.push_back(packet);
    link.waiting += wire_bytes(packet);
  }
  Packet packet = buffer.waiting.front();
  if (!may_start(index, buffer, packet, now)) return;
  const std::uint32_t bytes = wire_bytes(packet);
  buffer.waiting.pop_front();
  link.waiting -= bytes;
  const Picoseconds start = parameters_.is_cut_through ? std::max(now, packet.date - link.duration(bytes)) : now;
  buffer.busy_until = start + link.duration(bytes);
  buffer.sending_bytes = bytes;
  buffer.sending_came = paths_.is_first(packet.hop) ? nothing : paths_[packet.hop - 1];
  ++link.started;
  if (parameters_.lossless == Lossless::credit && buffer.sending_came != nothing)
    give_back(buffer.sending_came, bytes, buffer.busy_until);
  const Picoseconds came = packet.date;
  put(index, packet, start, bytes);
  if (observer_ != nullptr && buffer.sending_came != nothing) observer_->on_wait(index, bytes, came, start);
  await_end(index, buffer);
}

// The end of a transmission is an event if something waits for it: packets, or the count of a paused link.
void Fabric::await_end(std::uint32_t index, Buffer& buffer) {
  const LinkState& link = links_[index];
  const bool has_next = !buffer.waiting.empty() || (link.turns != nothing && !turns_[link.turns].ring.empty());
  if (buffer.is_awaited || (!has_next && parameters_.lossless == Lossless::credit)) return;
  buffer.is_awaited = true;
  ask(buffer.busy_until, index, LinkEvent::wake);
}

// Takes the credits for the packet.
bool Fabric::may_start(std::uint32_t index, Buffer& buffer, const Packet& packet, Picoseconds now) {
  if (parameters_.lossless == Lossless::pfc) return !buffer.is_stopped;
  if (paths_.is_last(packet.hop)) return true;
  const std::uint32_t bytes = wire_bytes(packet);
  for (; !buffer.returning.empty() && buffer.returning.front().date <= now; buffer.returning.pop_front())
    buffer.credits += buffer.returning.front().bytes;
  if (buffer.credits >= bytes) {
    buffer.credits -= bytes;
    return true;
  }
  await_credit(index, buffer);
  return false;
}

void Fabric::await_credit(std::uint32_t index, Buffer& buffer) {
  if (buffer.returning.empty() || buffer.returning.front().date >= buffer.credit_event) return;
  buffer.credit_event = buffer.returning.front().date;
  ask(buffer.credit_event, index, LinkEvent::credit);
}

void Fabric::end_transmission(std::uint32_t index, Picoseconds now) {
  Buffer& buffer = buffers_[links_[index].buffer];
  buffer.is_awaited = false;
  if (parameters_.lossless == Lossless::pfc && buffer.sending_came != nothing) {
    release_ingress(buffer.sending_came, buffer.sending_bytes, now);
    buffer.sending_came = nothing;
  }
  serve_buffer(index, now);
}

// A packet that came over this link leaves the switch behind it at this date.
void Fabric::give_back(std::uint32_t came, std::uint32_t bytes, Picoseconds date) {
  const LinkState& link = links_[came];
  Buffer& buffer = buffers_[link.buffer];
  Ring<Buffer::Credit>& returning = buffer.returning;
  const Buffer::Credit credit{date + link.delay, bytes};
  returning.push_back(credit);  // in the order of their dates
  std::uint32_t at = returning.size() - 1;
  for (; at > 0 && returning[at - 1].date > credit.date; --at) returning[at] = returning[at - 1];
  returning[at] = credit;
  if (!buffer.waiting.empty() && !buffer.is_awaited) await_credit(came, buffer);
}

void Fabric::release_ingress(std::uint32_t came, std::uint32_t bytes, Picoseconds now) {
  Buffer& buffer = buffers_[links_[came].buffer];
  buffer.ingress -= std::min<std::uint64_t>(bytes, buffer.ingress);
  if (!buffer.has_asked_to_stop || buffer.ingress > parameters_.xon) return;
  buffer.has_asked_to_stop = false;
  ask(now + links_[came].delay, came, LinkEvent::go);
}

}  // namespace rehearse::packet
