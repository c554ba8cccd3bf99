// SPDX-License-Identifier: MIT
//
// See rate_control.hpp.
#include "simcore/packet/rate_control.hpp"

#include <algorithm>
#include <cmath>

namespace rehearse::packet {

void RateControl::notify(Picoseconds now) {
  catch_up(now);
  target_ = rate_;
  rate_ = std::max(rate_ * (1 - share_ / 2), line_ / 1000);
  share_ = (1 - gain) * share_ + gain;
  increased_ = decayed_ = now;
  bytes_ = 0;
  time_steps_ = byte_steps_ = 0;
}

void RateControl::send(std::uint32_t bytes, Picoseconds now) {
  if (rate_ >= line_) return;
  bytes_ += bytes;
  if (bytes_ >= bytes_per_step) {
    bytes_ -= bytes_per_step;
    ++byte_steps_;
    increase();
  }
  catch_up(now);
}

void RateControl::catch_up(Picoseconds now) {
  if (const Picoseconds periods = (now - decayed_) / period; periods > 0) {
    share_ *= std::pow(1 - gain, static_cast<double>(periods));
    decayed_ += periods * period;
  }
  for (; now - increased_ >= period && rate_ < line_; increased_ += period) {
    ++time_steps_;
    increase();
  }
}

void RateControl::increase() {
  if (std::min(time_steps_, byte_steps_) > fast_steps) target_ += hyper;
  else if (std::max(time_steps_, byte_steps_) > fast_steps) target_ += additive;
  target_ = std::min(target_, line_);
  rate_ = (rate_ + target_) / 2;
  if (rate_ > 0.999 * line_) rate_ = line_;
}

}  // namespace rehearse::packet
