// SPDX-License-Identifier: MIT
//
// LogGPS.
#include "simcore/network/log_gps.hpp"

#include <algorithm>

namespace rehearse::network {

LogGps::Ports& LogGps::ports(HostId host) {
  if (ports_.empty()) ports_.resize(hosts_);
  return ports_[host.value];
}

Duration LogGps::time_of(double bytes, double bandwidth) const {
  return Duration::from_seconds(std::max(bytes - 1, 0.0) / bandwidth);
}

TimePoint LogGps::send(HostId source, double bytes, double latency, double bandwidth, TimePoint now) {
  const double handshake = bytes > options_.eager_bytes ? 2 * (latency + 2 * options_.overhead) : 0;
  TimePoint& out = ports(source).out;
  const TimePoint begin = std::max(now + Duration::from_seconds(handshake + options_.overhead), out);
  if (has_contention_) out = begin + std::max(time_of(bytes, bandwidth), Duration::from_seconds(options_.gap));
  return begin + Duration::from_seconds(latency);
}

TimePoint LogGps::receive(HostId destination, double bytes, double bandwidth, TimePoint now) {
  TimePoint& in = ports(destination).in;
  const TimePoint begin = std::max(now, in);
  if (has_contention_) in = begin + std::max(time_of(bytes, bandwidth), Duration::from_seconds(options_.gap));
  return begin + time_of(bytes, bandwidth) + Duration::from_seconds(options_.overhead);
}

}  // namespace rehearse::network
