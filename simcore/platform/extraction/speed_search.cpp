// SPDX-License-Identifier: MIT
//
// Exchanges hosts as long as this brings the moments nearer.
#include "simcore/platform/extraction/speed_search.hpp"

#include <algorithm>
#include <cmath>

namespace rehearse::platform {

namespace {

constexpr int starts = 8;
constexpr int rounds_max = 100;

class SpeedSearch {
 public:
  SpeedSearch(const Platform& platform, const HostSelection& selection)
      : selection_(selection), count_(*selection.hosts) {
    for (const Host& host : platform.hosts()) speeds_.push_back(host.flops_per_second);
    // Sums of squares around the middle lose fewer digits.
    for (const double speed : speeds_) middle_ += speed;
    middle_ /= static_cast<double>(speeds_.size());
  }

  std::vector<HostId> run() {
    SplitMix random(selection_.seed);
    std::vector<HostId> best;
    double least = 0;
    for (int i = 0; i < starts; ++i) {
      start(draw_hosts(speeds_.size(), count_, random));
      for (int round = 0; round < rounds_max && improve(); ++round) {
      }
      const double error = error_of(sum_, squares_);
      if (!best.empty() && !(error < least)) continue;
      least = error;
      best = chosen_;
    }
    std::ranges::sort(best);
    return best;
  }

 private:
  double value(HostId host) const { return speeds_[host.value] - middle_; }

  void start(std::vector<HostId> chosen) {
    chosen_ = std::move(chosen);
    is_chosen_.assign(speeds_.size(), false);
    sum_ = squares_ = 0;
    for (const HostId host : chosen_) {
      is_chosen_[host.value] = true;
      sum_ += value(host);
      squares_ += value(host) * value(host);
    }
  }

  double error_of(double sum, double squares) const {
    const auto n = static_cast<double>(count_);
    const double mean = sum / n;
    const double deviation = std::sqrt(std::max(squares / n - mean * mean, 0.0));
    double error = 0;
    if (selection_.mean_speed) error += squared(mean + middle_ - *selection_.mean_speed, *selection_.mean_speed);
    if (selection_.speed_deviation)
      error += squared(deviation - *selection_.speed_deviation,
                       *selection_.speed_deviation > 0 ? *selection_.speed_deviation : middle_);
    return error;
  }
  static double squared(double difference, double scale) { return difference / scale * (difference / scale); }

  // Exchanges each chosen host for the best other one. False: no exchange helped.
  bool improve() {
    bool is_better = false;
    for (HostId& host : chosen_) {
      double least = error_of(sum_, squares_);
      HostId best = host;
      for (HostId other{0}; other.value < speeds_.size(); ++other.value) {
        if (is_chosen_[other.value]) continue;
        const double error = error_of(sum_ - value(host) + value(other),
                                      squares_ - value(host) * value(host) + value(other) * value(other));
        // Rounding must not look like progress.
        if (error < least * (1 - 1e-9) - 1e-24) {
          least = error;
          best = other;
        }
      }
      if (best == host) continue;
      exchange(host, best);
      is_better = true;
    }
    return is_better;
  }

  void exchange(HostId& host, HostId other) {
    sum_ += value(other) - value(host);
    squares_ += value(other) * value(other) - value(host) * value(host);
    is_chosen_[host.value] = false;
    is_chosen_[other.value] = true;
    host = other;
  }

  const HostSelection& selection_;
  std::size_t count_;
  std::vector<double> speeds_;
  double middle_ = 0;
  std::vector<HostId> chosen_;
  std::vector<bool> is_chosen_;
  double sum_ = 0, squares_ = 0;
};

}  // namespace

// Floyd's method for samples: Bentley, Floyd, "A sample of brilliance", CACM 30(9), 1987.
std::vector<HostId> draw_hosts(std::size_t hosts, std::size_t count, SplitMix& random) {
  std::vector<bool> is_drawn(hosts, false);
  for (std::size_t last = hosts - count; last < hosts; ++last) {
    const std::size_t drawn = random.below(last + 1);
    is_drawn[is_drawn[drawn] ? last : drawn] = true;
  }
  std::vector<HostId> chosen;
  for (std::uint32_t i = 0; i < hosts; ++i)
    if (is_drawn[i]) chosen.push_back({i});
  return chosen;
}

std::vector<HostId> select_by_speed(const Platform& platform, const HostSelection& selection) {
  return SpeedSearch(platform, selection).run();
}

}  // namespace rehearse::platform

namespace rehearse {

HostMoments moments_of(const Platform& platform, std::span<const HostId> hosts) {
  HostMoments moments;
  const auto count = static_cast<double>(hosts.size());
  for (const HostId host : hosts) moments.mean_speed += platform.host(host).flops_per_second;
  moments.mean_speed /= count;
  double variance = 0, diameter = 0;
  for (const HostId host : hosts) {
    const double difference = platform.host(host).flops_per_second - moments.mean_speed;
    variance += difference * difference / count;
  }
  moments.speed_deviation = std::sqrt(variance);
  Route route;
  for (const HostId source : hosts)
    for (const HostId destination : hosts) {
      if (source == destination) continue;
      if (!platform.find_route(source, destination, route)) return moments;
      diameter = std::max(diameter, route.latency_seconds);
    }
  moments.diameter_seconds = diameter;
  return moments;
}

}  // namespace rehearse
