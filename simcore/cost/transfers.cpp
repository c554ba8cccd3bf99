// SPDX-License-Identifier: MIT
//
// See transfers.hpp.
#include "simcore/cost/transfers.hpp"

#include <algorithm>

namespace rehearse::cost {

using network::Path;

// With connections, factors describe the network between hosts.
double Transfers::latency_factor(const Path& path, double bytes) const {
  const network::NetworkParameters& parameters = state_.parameters;
  if (parameters.has_connections && path.is_local()) return 1;
  return parameters.latency_function ? parameters.latency_function(bytes, path.source, path.destination, path.links)
                                     : network::factor_for(parameters.latency_pieces, bytes);
}

double Transfers::bandwidth_factor(const Path& path, double bytes) const {
  const network::NetworkParameters& parameters = state_.parameters;
  if (parameters.has_connections && path.is_local()) return 1;
  return parameters.bandwidth_function ? parameters.bandwidth_function(bytes, path.source, path.destination, path.links)
                                       : network::factor_for(parameters.bandwidth_pieces, bytes);
}

// Functions of the user may give a new value at each call; tables do not.
Path::Terms& Transfers::terms_of(Path& path, double bytes, bool has_envelope) {
  Path::Terms& terms = path.last_terms;
  const network::NetworkParameters& parameters = state_.parameters;
  const bool is_known = terms.bytes == bytes && terms.has_envelope == has_envelope &&
                        terms.latency_seconds == path.latency_seconds && !parameters.latency_function &&
                        !parameters.bandwidth_function;
  if (is_known) return terms;
  const double scale = bandwidth_factor(path, bytes);
  const double amount = (has_envelope ? bytes + parameters.envelope_bytes : bytes) / scale;
  const double delay = path.latency_seconds * latency_factor(path, bytes) + stored_seconds(path, amount);
  terms = {bytes, has_envelope, path.latency_seconds, Duration::from_seconds(delay), scale, amount, {}};
  return terms;
}

void Transfers::start(std::uint32_t index, const Transfer& transfer, TimePoint now) {
  Slot& slot = slots_[index];
  Path& path = state_.paths[slot.subject];
  const bool has_connections = state_.parameters.has_connections;
  slot.has_envelope = has_connections && transfer.kind != TransferKind::plain;
  Path::Terms& terms = terms_of(path, transfer.bytes, slot.has_envelope);
  slot.scale = terms.scale;
  if (transfer.read_from || transfer.write_to) streams_[index] = {transfer.read_from, transfer.write_to};
  const bool is_in_order = has_connections && state_.parameters.changes.has_contention && transfer.connection != 0;
  const Duration delay = is_in_order ? terms.delay + time_in_queue(path, terms.amount, now) : terms.delay;
  if (is_in_order && connections_.join(transfer.connection, index, now + delay)) {
    slot.amount = transfer.bytes;
    slot.is_waiting = true;
    return;
  }
  open(index, terms, delay, now);
}

// Of a transfer of so many bytes on the links.
Duration Transfers::time_in_queue(const Path& path, double amount, TimePoint now) {
  if (amount > state_.parameters.transmit_queue_bytes || path.is_local() || path.first_bandwidth >= sharing::unbounded)
    return {};
  return queues_.enter(path.source, Duration::from_seconds(amount / path.first_bandwidth), now);
}

// The predecessor of the transfer on its connection is over.
void Transfers::open_next(std::uint32_t index, TimePoint now) {
  Slot& slot = slots_[index];
  slot.is_waiting = false;
  const Duration rest = std::max(connections_.ready(index) - now, Duration{});
  Path::Terms& terms = terms_of(state_.paths[slot.subject], slot.amount, slot.has_envelope);
  slot.scale = terms.scale;
  open(index, terms, rest, now);
  if (slot.is_suspended) state_.fluid.suspend(slot.activity, now);
}

void Transfers::open(std::uint32_t index, Path::Terms& terms, Duration delay, TimePoint now) {
  Slot& slot = slots_[index];
  const Path& path = state_.paths[slot.subject];
  slot.weight = path.weight;
  const bool is_plain = streams_.empty();
  const auto uses = is_plain ? std::span<const sharing::Use>(path.uses) : uses_of(index);
  // If no link is shared or limits it, a transfer costs only its latency.
  const bool is_limited = !uses.empty() || path.fatpipe_bound < sharing::unbounded;
  slots_.open(index,
              {delay, is_limited ? terms.amount : 0, slot.shared_weight(), bound_of(slot), uses, sharing::plain_time,
               is_plain, is_plain && slot.rate == unlimited ? &terms.known : nullptr, path.meters},
              now);
}

void Transfers::end(std::uint32_t index, TimePoint now) {
  if (!streams_.empty()) streams_.erase(index);
  if (!state_.parameters.has_connections) return;
  slots_[index].is_waiting = false;
  const std::uint32_t next = connections_.leave(index);
  if (next != none) open_next(next, now);
}

double Transfers::bound_of(const Slot& slot) {
  const double bound = state_.paths[slot.subject].bound();
  return slot.rate == unlimited ? bound : std::min(bound, slot.rate / slot.scale);
}

// The uses of the links, and of the disks of a stream. Valid until the next call.
std::span<const sharing::Use> Transfers::uses_of(std::uint32_t index) {
  const Slot& slot = slots_[index];
  const Path& path = state_.paths[slot.subject];
  if (streams_.empty()) return path.uses;
  const auto stream = streams_.find(index);
  if (stream == streams_.end()) return path.uses;
  uses_ = path.uses;
  const auto add = [&](const std::optional<DiskId>& disk, bool is_write) {
    if (disk) state_.disks.add_uses(*disk, is_write, slot.scale, uses_);
  };
  add(stream->second.read_from, false);
  add(stream->second.write_to, true);
  return uses_;
}

void Transfers::open_message(std::uint32_t index, double bytes, TimePoint now) {
  Slot& slot = slots_[index];
  const Path& path = state_.paths[slot.subject];
  slot.amount = bytes;
  const TimePoint arrival = messages_.send(path.source, bytes, path.latency_seconds, path.least_bandwidth, now);
  slots_.open(index, {arrival - now, 0, 1, sharing::unbounded, {}, sharing::plain_time}, now);
}

bool Transfers::go_on(std::uint32_t index, TimePoint now) {
  Slot& slot = slots_[index];
  if (slot.threads == 2) return false;
  slot.threads = 2;  // the second phase
  const Path& path = state_.paths[slot.subject];
  const TimePoint end = messages_.receive(path.destination, slot.amount, path.least_bandwidth, now);
  slots_.open(index, {end - now, 0, 1, sharing::unbounded, {}, sharing::plain_time}, now);
  return true;
}

void Transfers::refresh(std::uint32_t index, double weight_change, bool has_new_latency, TimePoint now) {
  Slot& slot = slots_[index];
  if (slot.kind != SlotKind::transfer || slot.activity == none) return;
  const Path& path = state_.paths[slot.subject];
  if (state_.parameters.has_quirks) {
    slot.weight += weight_change;
    state_.fluid.set_weight(slot.activity, slot.shared_weight(), now);
    if (has_new_latency)
      state_.fluid.set_bound(slot.activity, std::min(path.window_bound, slot.rate / slot.scale), now);
    return;
  }
  if (slot.weight != path.weight) {
    slot.weight = path.weight;
    state_.fluid.set_weight(slot.activity, slot.shared_weight(), now);
  }
  state_.fluid.set_bound(slot.activity, bound_of(slot), now);
}

void Transfers::refresh_uses(std::uint32_t index, TimePoint now) {
  if (slots_[index].activity == none) return;
  slots_.change(index, uses_of(index), state_.paths[slots_[index].subject].meters, now);
  refresh(index, 0, false, now);
}

}  // namespace rehearse::cost
