// SPDX-License-Identifier: MIT
//
// Connections over time: round trips, windows, the uses of their time, and the values of the chosen ones.
//
// Shape:   a record is a connection as a user sees it: the stream between two ranks, or a flow. Several connections of
//          the network, one after the other or side by side, can belong to it; their times add up.
// Threads: none.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "simcore/packet/network.hpp"
#include "simcore/packet_statistics.hpp"
#include "simcore/statistics/quantiles.hpp"
#include "simcore/statistics/series_choice.hpp"
#include "simcore/statistics/value_series.hpp"

namespace rehearse::statistics {

class ConnectionRecorder {
 public:
  ConnectionRecorder(const Platform& platform, const packet::Network& network, SeriesChoice& choice)
      : platform_(platform), network_(network), choice_(choice) {}

  // Before the first message of a connection of the network.
  void open(std::uint32_t connection, const Transfer& transfer);
  void close(std::uint32_t connection);
  // The time that has passed had the use that the last call found.
  void sample(std::uint32_t connection, Picoseconds now);
  // The sender's host transmits a packet of its data.
  void send(std::uint32_t connection, Picoseconds start, Picoseconds end);
  void wait_for_timer(std::uint32_t connection, Picoseconds waited, Picoseconds now);
  void measure(std::uint32_t connection, Picoseconds time, Picoseconds now);
  void arrive(std::uint32_t record, TransferKind kind, double bytes);

  // packet::nothing: none.
  std::uint32_t record_of(std::uint32_t connection) const {
    return connection < live_.size() ? live_[connection].record : packet::nothing;
  }
  void finish(NetworkStatistics& all, Picoseconds end);

 private:
  enum class Use : std::uint8_t { idle, sending, window, network, peer };
  static constexpr int uses = 5;

  struct Values {
    explicit Values(std::uint32_t points) : window(points), threshold(points), flight(points), round_trip(points) {}
    ValueSeries window, threshold, flight, round_trip;
  };
  struct Record {
    ConnectionStatistics made;
    packet::FlowTotals totals;
    Picoseconds time[uses] = {};
    double window_time = 0;  // bytes times picoseconds of busy time
    double window_max = 0;
    Quantiles round_trips;
    std::optional<Values> values;
  };
  // Of a connection of the network.
  struct Live {
    std::uint32_t record = packet::nothing;
    Use use = Use::idle;
    double window = 0;
    Picoseconds since = 0;
    Picoseconds sent_at = 0;  // the end of the last transmission at the host
  };

  std::uint32_t make_record(const Transfer& transfer);
  Use use_of(const packet::Connection& connection, Picoseconds now) const;
  double window_of(const packet::Connection& connection) const;
  void pass(Live& live, Picoseconds now, std::optional<Use> use = {});

  const Platform& platform_;
  const packet::Network& network_;
  SeriesChoice& choice_;
  std::vector<Record> records_;
  std::vector<Live> live_;  // by connection of the network
  std::map<std::tuple<std::uint64_t, HostId, HostId>, std::uint32_t> streams_;
  std::map<std::string, std::uint32_t> names_;
};

}  // namespace rehearse::statistics
