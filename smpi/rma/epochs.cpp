// SPDX-License-Identifier: MIT
//
// See epochs.hpp.
#include "smpi/rma/epochs.hpp"

#include <algorithm>
#include <string>

#include "simcore/support/format.hpp"
#include "smpi/report.hpp"
#include "smpi/rma/window.hpp"

namespace rehearse::smpi {

EpochKind epoch_for(const Window& window, int target) {
  const Epochs& epochs = window.epochs;
  if (epochs.lock_all || epochs.locks.contains(target)) return EpochKind::passive;
  if (epochs.start) {
    const bool is_target = std::ranges::find(epochs.start->targets, target) != epochs.start->targets.end();
    return is_target ? EpochKind::start : EpochKind::none;
  }
  if (!epochs.locks.empty()) return EpochKind::none;
  return epochs.fence.is_open ? EpochKind::fence : EpochKind::none;
}

std::string open_access_epoch(const Window& window) {
  const Epochs& epochs = window.epochs;
  if (epochs.start) return "the epoch of " + text_of(epochs.start->site);
  if (epochs.lock_all) return "the epoch of " + text_of(epochs.lock_all->site);
  if (!epochs.locks.empty()) {
    const auto& [target, lock] = *epochs.locks.begin();
    return fmt::format("the lock of rank {} by {}", target, text_of(lock.site));
  }
  if (epochs.fence.is_used) return "the epoch of " + text_of(epochs.fence.site) + ", in which operations were issued";
  return {};
}

std::string open_epoch(const Window& window) {
  if (std::string access = open_access_epoch(window); !access.empty()) return access;
  return window.epochs.exposure ? "the exposure of " + text_of(window.epochs.exposure->site) : std::string();
}

void report_open_epochs(const Window& window) {
  const std::string open = open_epoch(window);
  if (!open.empty()) report("rma.not_closed", Severity::error, open + " was never closed");
}

}  // namespace rehearse::smpi
