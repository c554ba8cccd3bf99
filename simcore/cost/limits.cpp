// SPDX-License-Identifier: MIT
//
// Why an activity is not faster.
#include "simcore/cost/shared_cost_model.hpp"

namespace rehearse::cost {

TransferTerms SharedCostModel::terms(const Transfer& transfer, TimePoint now) {
  go_to(now);
  if (parameters_.kind != network::NetworkKind::fluid &&
      parameters_.kind != network::NetworkKind::parallel)
    return {};
  const network::Path& path = paths_[paths_.find(transfer.source, transfer.destination)];
  return {path.links,
          path.latency_seconds,
          latency_factor(path, transfer.bytes),
          bandwidth_factor(path, transfer.bytes),
          path.reverse.empty() ? 0 : parameters_.cross_traffic,
          path.reverse,
          path.window_bound};
}

Limit SharedCostModel::limit(ActivityId activity, TimePoint now) {
  go_to(now);
  const Slot& slot = slot_of(activity);
  if (slot.is_failed) return {};
  Limit limit;
  if (slot.is_suspended) {
    limit.kind = LimitKind::suspended;
    return limit;
  }
  switch (activities_.phase(slot.activity)) {
    case ActivityPhase::delayed:
      limit.kind = LimitKind::latency;
      return limit;
    case ActivityPhase::waiting:
      limit.kind = LimitKind::waiting;
      limit.link = full_link(slot);
      limit.flows = activities_.flows(links_[limit.link].resource);
      return limit;
    case ActivityPhase::flowing: break;
  }
  const auto resource = activities_.limit(slot.activity);
  return resource ? limit_of_resource(*resource, now) : limit_of_bound(slot, now);
}

// The link at which a transfer waits for others to end.
LinkId SharedCostModel::full_link(const Slot& slot) {
  if (slot.kind == Kind::transfer)
    for (const LinkId link : paths_[slot.subject].links)
      if (links_[link].limit > 0 && activities_.flows(links_.resource(link)) >= links_[link].limit)
        return link;
  return {};
}

Limit SharedCostModel::limit_of_bound(const Slot& slot, TimePoint now) {
  Limit limit;
  limit.flows = 1;
  limit.kind = LimitKind::rate;
  limit.capacity = slot.rate;
  if (slot.kind == Kind::computation) {
    const HostId host{slot.subject};
    const double cores = slot.threads * host_speed(host, now);
    limit.host = host;
    if (cores <= slot.rate) {
      limit.kind = LimitKind::core;
      limit.capacity = cores;
    }
  } else if (slot.kind == Kind::transfer) {
    const network::Path& path = paths_[slot.subject];
    if (path.bound() * slot.scale >= slot.rate) return limit;
    limit.capacity = path.bound();
    limit.kind = LimitKind::window;
    if (path.window_bound <= path.fatpipe_bound) return limit;
    limit.kind = LimitKind::link;
    limit.link = path.fatpipe;
  } else if (slot.kind == Kind::task) {
    limit.kind = activities_.rate(slot.activity) < slot.rate ? LimitKind::core : LimitKind::rate;
    limit.capacity = activities_.rate(slot.activity);
  }
  return limit;
}

Limit SharedCostModel::limit_of_resource(sharing::ResourceIndex resource, TimePoint now) {
  Limit limit;
  const Owner owner = resources_.owner(resource);
  limit.capacity = activities_.capacity(resource);
  limit.flows = activities_.flows(resource);
  switch (owner.kind) {
    case OwnerKind::link:
      limit.kind = LimitKind::link;
      limit.link = {owner.id};
      break;
    case OwnerKind::host:
      limit.kind = LimitKind::host;
      limit.host = {owner.id};
      limit.capacity *= hosts_.factor(limit.host, now);
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
