// SPDX-License-Identifier: MIT
//
// See computations.hpp.
#include "simcore/cost/computations.hpp"

#include <algorithm>

namespace rehearse::cost {

void Computations::open(std::uint32_t index, double amount, TimePoint now) {
  Slot& slot = slots_[index];
  const HostId host{slot.subject};
  const double bound = bound_of(slot, now);
  if (state_.hosts[host].has_clock && events_.needs_speed_events(host)) events_.watch_speed(host, now);
  slots_.open(index,
              {Duration{}, amount, slot.shared_weight(), bound, uses_of(slot, now), state_.hosts.clock_index(host)},
              now);
}

// Whether the computation must follow changes of its host's speed: it has no clock, or a bound in true flops.
bool Computations::follows_speed(const Slot& slot) const {
  return state_.hosts[HostId{slot.subject}].has_clock && (slot.rate < unlimited || state_.fluid.is_parallel());
}

// Without a clock, a flop takes more of the capacity of a slow host.
std::span<const sharing::Use> Computations::uses_of(const Slot& slot, TimePoint now) {
  const HostId host{slot.subject};
  const double factor = state_.fluid.is_parallel() ? state_.hosts.factor(host, now) : 1;
  uses_.assign(1, {state_.hosts.resource(host), 1 / std::max(factor, standstill)});
  return uses_;
}

double Computations::bound_of(Slot& slot, TimePoint now) {
  const HostId host{slot.subject};
  compute::HostState& state = state_.hosts[host];
  const double now_factor = state_.hosts.factor(host, now);
  const double without_clock = state_.fluid.is_parallel() ? std::max(now_factor, standstill) : 1;
  double bound = sharing::unbounded;
  if (slot.threads < state_.hosts.cores(host) && state.speed > 0) bound = slot.threads * state.speed * without_clock;
  const bool is_bounded = follows_speed(slot);
  if (is_bounded != slot.is_bounded) state.bounded += is_bounded ? 1 : -1;
  slot.is_bounded = is_bounded;
  if (slot.rate == unlimited) return bound;
  // The factor of a computation multiplies its progress, so the user's rate is divided by it.
  const double clock_factor = state_.fluid.is_parallel() ? 1 : now_factor;
  const double factor = clock_factor * slot.scale * slot.threads;
  return factor > 0 ? std::min(bound, slot.rate / factor) : bound;
}

void Computations::refresh(HostId host, TimePoint now) {
  for (std::uint32_t i = state_.hosts[host].first_computation; i != none; i = slots_[i].next)
    if (slots_[i].activity != none) {
      if (state_.fluid.is_parallel()) slots_.change(i, uses_of(slots_[i], now), {}, now);
      state_.fluid.set_bound(slots_[i].activity, bound_of(slots_[i], now), now);
    }
}

}  // namespace rehearse::cost
