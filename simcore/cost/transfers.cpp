// SPDX-License-Identifier: MIT
//
// See transfers.hpp.
#include "simcore/cost/transfers.hpp"

#include <algorithm>

namespace rehearse::cost {

using network::Path;

double Transfers::latency_factor(const Path& path, double bytes) const {
  return state_.parameters.latency_function
             ? state_.parameters.latency_function(bytes, path.source, path.destination, path.links)
             : network::factor_for(state_.parameters.latency_pieces, bytes);
}

double Transfers::bandwidth_factor(const Path& path, double bytes) const {
  return state_.parameters.bandwidth_function
             ? state_.parameters.bandwidth_function(bytes, path.source, path.destination, path.links)
             : network::factor_for(state_.parameters.bandwidth_pieces, bytes);
}

// Functions of the user may give a new value at each call; tables do not.
Path::Terms& Transfers::terms_of(Path& path, double bytes) {
  Path::Terms& terms = path.last_terms;
  const bool is_known = terms.bytes == bytes && terms.latency_seconds == path.latency_seconds &&
                        !state_.parameters.latency_function && !state_.parameters.bandwidth_function;
  if (!is_known)
    terms = {bytes,
             path.latency_seconds,
             Duration::from_seconds(path.latency_seconds * latency_factor(path, bytes)),
             bandwidth_factor(path, bytes),
             {}};
  return terms;
}

void Transfers::open(std::uint32_t index, const Transfer& transfer, TimePoint now) {
  Slot& slot = slots_[index];
  Path& path = state_.paths[slot.subject];
  Path::Terms& terms = terms_of(path, transfer.bytes);
  slot.scale = terms.scale;
  slot.weight = path.weight;
  if (transfer.read_from || transfer.write_to) streams_[index] = {transfer.read_from, transfer.write_to};
  const bool is_plain = streams_.empty();
  const auto uses = is_plain ? std::span<const sharing::Use>(path.uses) : uses_of(index);
  // If no link is shared or limits it, a transfer costs only its latency.
  const bool is_limited = !uses.empty() || path.fatpipe_bound < sharing::unbounded;
  slots_.open(index,
              {terms.delay, is_limited ? transfer.bytes / slot.scale : 0, slot.shared_weight(), bound_of(slot), uses,
               sharing::plain_time, is_plain, is_plain && slot.rate == unlimited ? &terms.uncontended : nullptr},
              now);
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
  state_.fluid.set_coefficients(slots_[index].activity, uses_of(index), now);
  refresh(index, 0, false, now);
}

}  // namespace rehearse::cost
