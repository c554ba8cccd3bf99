// SPDX-License-Identifier: MIT
//
// See limits.hpp.
#include "simcore/cost/limits.hpp"

namespace rehearse::cost {

Limit Limits::of(const Slot& slot, TimePoint now) {
  if (slot.is_failed) return {};
  Limit limit;
  if (slot.is_suspended) {
    limit.kind = LimitKind::suspended;
    return limit;
  }
  if (slot.is_waiting) {
    limit.kind = LimitKind::connection;
    return limit;
  }
  switch (state_.fluid.phase(slot.activity)) {
    case ActivityPhase::delayed: limit.kind = LimitKind::latency; return limit;
    case ActivityPhase::waiting:
      limit.kind = LimitKind::waiting;
      limit.link = full_link(slot);
      limit.flows = state_.fluid.flows(state_.links[limit.link].resource);
      return limit;
    case ActivityPhase::flowing: break;
  }
  const auto resource = state_.fluid.limit(slot.activity);
  return resource ? of_resource(*resource, now) : of_bound(slot, now);
}

// The link whose concurrency limit a waiting transfer waits for.
LinkId Limits::full_link(const Slot& slot) {
  if (slot.kind == SlotKind::transfer)
    for (const LinkId link : state_.paths[slot.subject].links)
      if (state_.links[link].limit > 0 && state_.fluid.flows(state_.links.resource(link)) >= state_.links[link].limit)
        return link;
  return {};
}

Limit Limits::of_bound(const Slot& slot, TimePoint now) {
  Limit limit;
  limit.flows = 1;
  limit.kind = LimitKind::rate;
  limit.capacity = slot.rate;
  if (slot.kind == SlotKind::computation) {
    const HostId host{slot.subject};
    const double cores = slot.threads * (state_.hosts[host].speed * state_.hosts.factor(host, now));
    limit.host = host;
    if (cores <= slot.rate) {
      limit.kind = LimitKind::core;
      limit.capacity = cores;
    }
  } else if (slot.kind == SlotKind::transfer) {
    const network::Path& path = state_.paths[slot.subject];
    if (path.bound() * slot.scale >= slot.rate) return limit;
    limit.capacity = path.bound();
    limit.kind = LimitKind::window;
    if (path.window_bound <= path.fatpipe_bound) return limit;
    limit.kind = LimitKind::link;
    limit.link = path.fatpipe;
  } else if (slot.kind == SlotKind::task) {
    limit.kind = state_.fluid.rate(slot.activity) < slot.rate ? LimitKind::core : LimitKind::rate;
    limit.capacity = state_.fluid.rate(slot.activity);
  }
  return limit;
}

Limit Limits::of_resource(sharing::ResourceIndex resource, TimePoint now) {
  Limit limit;
  const Owner owner = state_.resources.owner(resource);
  limit.capacity = state_.fluid.capacity(resource);
  limit.flows = state_.fluid.flows(resource);
  switch (owner.kind) {
    case OwnerKind::link:
      limit.kind = LimitKind::link;
      limit.link = {owner.id};
      break;
    case OwnerKind::host:
      limit.kind = LimitKind::host;
      limit.host = {owner.id};
      limit.capacity *= state_.hosts.factor(limit.host, now);
      break;
    case OwnerKind::disk:
      limit.kind = LimitKind::disk;
      limit.disk = {owner.id};
      break;
    case OwnerKind::upload:
    case OwnerKind::download:
      limit.kind = owner.kind == OwnerKind::upload ? LimitKind::upload : LimitKind::download;
      limit.host = {owner.id};
      break;
  }
  if (limit.capacity <= 0) limit.kind = LimitKind::off;
  return limit;
}

}  // namespace rehearse::cost
