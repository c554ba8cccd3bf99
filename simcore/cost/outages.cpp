// SPDX-License-Identifier: MIT
//
// See outages.hpp.
#include "simcore/cost/outages.hpp"

namespace rehearse::cost {

std::uint32_t& Outages::head_of(const Slot& slot) {
  switch (slot.kind) {
    case SlotKind::transfer:
    case SlotKind::message: return state_.paths[slot.subject].first_transfer;
    case SlotKind::computation: return state_.hosts[HostId{slot.subject}].first_computation;
    default: return state_.disks.first_access(DiskId{slot.subject});
  }
}

void Outages::attach(std::uint32_t index) {
  Slot& slot = slots_[index];
  slots_.enlist(index, head_of(slot));
  if (slot.kind == SlotKind::transfer || slot.kind == SlotKind::message) events_.keep_path(slot.subject, state_.now);
}

void Outages::detach(std::uint32_t index) {
  Slot& slot = slots_[index];
  if (slot.kind == SlotKind::task) return tasks_.end(index);
  slots_.unlist(index, head_of(slot));
  if (slot.kind == SlotKind::computation) {
    compute::HostState& host = state_.hosts[HostId{slot.subject}];
    if (slot.is_bounded) --host.bounded;
    if (host.has_clock && host.first_computation == none) state_.hosts.forget(HostId{slot.subject}, state_.now);
  } else if (slot.kind == SlotKind::transfer || slot.kind == SlotKind::message) {
    events_.leave_path(slot.subject);
    transfers_.end(index, state_.now);
  }
  slot.is_bounded = false;
}

void Outages::fail(std::uint32_t index, TimePoint now) {
  slots_.close(index, now);
  detach(index);
  slots_.note_failure(index);
}

void Outages::fail_all(std::span<const std::uint32_t> indices, TimePoint now) {
  for (const std::uint32_t index : indices) fail(index, now);
}

void Outages::switch_host(HostId host, bool is_on, TimePoint now) {
  if (state_.hosts[host].is_on == is_on) return;
  state_.hosts[host].is_on = is_on;
  if (!is_on) {
    fail_all(slots_.listed(state_.hosts[host].first_computation), now);
    state_.paths.for_each_at(host, [&](std::uint32_t path) {
      fail_all(slots_.listed(state_.paths[path].first_transfer), now);
    });
    if (!state_.platform.disks().empty())
      for (const DiskId disk : state_.platform.disks_of(host))
        fail_all(slots_.listed(state_.disks.first_access(disk)), now);
    fail_all(tasks_.on_host(host), now);
  }
  observers_.notify([&](ResourceObserver& observer, ObserverNeeds) { observer.on_host_state(host, is_on, now); });
}

void Outages::switch_link(LinkId link, bool is_on, TimePoint now) {
  if (state_.links[link].is_on == is_on) return;
  state_.links[link].is_on = is_on;
  for (const std::uint32_t path : state_.paths.paths_of(link)) {
    state_.path_maker->refresh(state_.paths[path]);
    if (!is_on) fail_all(slots_.listed(state_.paths[path].first_transfer), now);
  }
  if (!is_on) fail_all(tasks_.without_path(), now);
  observers_.notify([&](ResourceObserver& observer, ObserverNeeds) { observer.on_link_state(link, is_on, now); });
}

}  // namespace rehearse::cost
