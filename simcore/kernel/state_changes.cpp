// SPDX-License-Identifier: MIT
//
// See state_changes.hpp.
#include "simcore/kernel/state_changes.hpp"

#include "simcore/kernel/far_side.hpp"
#include "simcore/kernel/kernel.hpp"

namespace rehearse::sim::kernel {

void StateChanges::set_host_on(HostId host, bool is_on) {
  if (kernel_.costs().is_host_on(host, kernel_.now()) == is_on) return;
  kernel_.costs().set_host_on(host, is_on, kernel_.now());
  if (FarSide* far_side = kernel_.world().far_side(); far_side != nullptr && running_actor() != nullptr)
    far_side->host_is_set(host, is_on);
  handle();
}

void StateChanges::handle() {
  // Kills and starts may cause further changes, which are appended.
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    const StateChange change = changes_[i];
    if (change.is_host) {
      if (change.is_on) {
        kernel_.actors().host_came_on(HostId{change.id});
      } else {
        kernel_.actors().host_went_off(HostId{change.id});
        kernel_.activities().host_went_off(HostId{change.id});
      }
      for (const auto& callback : kernel_.callbacks().on_host_state)
        callback(HostRef(kernel_, HostId{change.id}), change.is_on);
    } else {
      if (!change.is_on) kernel_.world().link_went_off(LinkId{change.id});
      for (const auto& callback : kernel_.callbacks().on_link_state)
        callback(LinkRef(kernel_, LinkId{change.id}), change.is_on);
    }
  }
  changes_.clear();
  ActorRecord* self = running_actor();
  if (self != nullptr && self->kernel == &kernel_ && self->host_failed) kernel_.scheduler().leave();
}

}  // namespace rehearse::sim::kernel
