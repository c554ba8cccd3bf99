// SPDX-License-Identifier: MIT
//
// See congestion.hpp.
#include "simcore/packet/congestion.hpp"

#include <algorithm>
#include <cmath>

namespace rehearse::packet {

void CongestionWindow::start(const Parameters& parameters) {
  *this = {};
  if (is_fixed(parameters)) window_ = static_cast<double>(parameters.window);
  else window_ = static_cast<double>(parameters.initial_window) * parameters.payload();
}

void CongestionWindow::restart(const Parameters& parameters) {
  if (is_fixed(parameters)) return;
  window_ = std::min(window_, static_cast<double>(parameters.initial_window) * parameters.payload());
  epoch_ = no_date;
}

void CongestionWindow::grow(const Parameters& parameters, std::uint64_t acknowledged, Picoseconds round_trip,
                            Picoseconds now) {
  if (is_fixed(parameters)) return;
  const double bytes = static_cast<double>(acknowledged);
  if (window_ < threshold_) window_ = std::min(window_ + bytes, std::max(threshold_, window_));
  else if (parameters.congestion == Congestion::cubic) grow_cubic(parameters, acknowledged, round_trip, now);
  else window_ += parameters.payload() * bytes / window_;
  window_ = std::min(window_, static_cast<double>(parameters.window) + parameters.payload());
}

// RFC 9438, sections 4.2 to 4.5.
void CongestionWindow::grow_cubic(const Parameters& parameters, std::uint64_t acknowledged, Picoseconds round_trip,
                                  Picoseconds now) {
  const double segment = parameters.payload();
  double window = window_ / segment;
  const double segments = static_cast<double>(acknowledged) / segment;
  if (epoch_ == no_date) {
    epoch_ = now;
    if (greatest_ < window) greatest_ = window;
    period_ = std::cbrt((greatest_ - window) / cubic_c);
    estimate_ = window;
    if (before_ < window) before_ = window;
  }
  const auto cubic = [&](double seconds) {
    const double distance = seconds - period_;
    return cubic_c * distance * distance * distance + greatest_;
  };
  const double passed = static_cast<double>(now - epoch_) * 1e-12;
  const double gain = estimate_ < before_ ? 3 * (1 - cubic_beta) / (1 + cubic_beta) : 1;
  estimate_ += gain * segments / window;
  if (cubic(passed) < estimate_) {
    window = std::max(window, estimate_);
  } else {
    const double target = std::clamp(cubic(passed + static_cast<double>(round_trip) * 1e-12), window, 1.5 * window);
    window += (target - window) / window * segments;
  }
  window_ = window * segment;
}

void CongestionWindow::reduce(const Parameters& parameters, std::uint64_t in_flight) {
  if (is_fixed(parameters)) return;
  const bool is_cubic = parameters.congestion == Congestion::cubic;
  if (is_cubic) {
    const double window = window_ / parameters.payload();
    before_ = window;
    greatest_ = window < greatest_ ? window * (1 + cubic_beta) / 2 : window;  // fast convergence
    epoch_ = no_date;
  }
  threshold_ = std::max(static_cast<double>(in_flight) * (is_cubic ? cubic_beta : 0.5), least(parameters));
  window_ = threshold_;
}

void CongestionWindow::collapse(const Parameters& parameters, std::uint64_t in_flight, bool again) {
  if (is_fixed(parameters)) return;
  if (!again) reduce(parameters, in_flight);
  window_ = parameters.payload();
}

void CongestionWindow::end_of_window() {
  if (acknowledged_ == 0) return;
  const double share = static_cast<double>(marked_) / static_cast<double>(acknowledged_);
  marked_share_ += dctcp_gain * (share - marked_share_);
  acknowledged_ = marked_ = 0;
}

void CongestionWindow::reduce_for_marks(const Parameters& parameters, std::uint64_t in_flight) {
  if (is_fixed(parameters)) return;
  if (parameters.congestion != Congestion::dctcp) return reduce(parameters, in_flight);
  window_ = std::max(window_ * (1 - marked_share_ / 2), least(parameters));
  threshold_ = window_;
}

}  // namespace rehearse::packet
