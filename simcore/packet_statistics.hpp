// SPDX-License-Identifier: MIT
//
// Statistics of a network of packets (`--network packet`): links, connections, messages, and values over time.
//
// Usage:     make_packet_statistics(); ModelOptions::statistics for one cost model; finish() after the last event,
// while
//            the cost model exists.
// Units:     bytes, seconds, bytes per second. Bytes of links are those on the wire; those of connections and messages
//            are data, without envelopes and headers.
// Errors:    make: the text that selects series is invalid; the error begins with `--series`.
// Ownership: the statistics must outlive the cost model, and the platform both.
// Memory:    series hold at most series_points_max points, and lists at most listed_max elements.
// Threads:   none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simcore/platform.hpp"
#include "simcore/support/result.hpp"
#include "simcore/time.hpp"
#include "simcore/transfer.hpp"

namespace rehearse {

namespace packet {
class Network;
class Observer;
}  // namespace packet

inline constexpr std::uint32_t series_points_max = 10'000;
inline constexpr std::uint32_t listed_max = 100'000;

// A value that holds from its date to that of the next point. Points that were merged have the mean over this time.
struct SeriesPoint {
  double seconds = 0;
  double value = 0;
  double least = 0;
  double greatest = 0;
};

// Of a link: queue (bytes), rate (bytes per second). Of a connection: window, threshold, flight (bytes), round_trip
// (seconds).
struct Series {
  std::string subject;  // the name of the link or connection
  std::string quantity;
  std::vector<SeriesPoint> points;  // the last one has the final value
};

struct QueueTime {
  std::uint64_t up_to_bytes = 0;  // longer than that of the element before
  double seconds = 0;
};

// The queue of a FATPIPE link is that of each of its flows; their times add up.
struct LinkStatistics {
  LinkId link;
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;
  std::uint64_t drops = 0;
  std::uint64_t losses = 0;
  std::uint64_t marks = 0;
  std::uint64_t pauses = 0;
  double utilisation = 0;  // part of the run in which it transmits
  double mean_queue_bytes = 0;
  std::uint64_t longest_queue_bytes = 0;
  double longest_at_seconds = 0;  // first time
  double full_seconds = 0;        // no room for a full packet
  std::vector<QueueTime> histogram;
  std::vector<float> rates;  // by time slice, the mean
};

// The time with messages that are not delivered is `busy_seconds`. It is the sum of the four that follow it.
struct ConnectionStatistics {
  std::string name;  // SOURCE -> DESTINATION
  HostId source, destination;
  std::uint64_t messages = 0;   // data that arrived
  std::uint64_t bytes = 0;      // in them
  std::uint64_t envelopes = 0;  // announcements and answers
  std::uint64_t retransmissions = 0;
  std::uint64_t recoveries = 0;
  std::uint64_t timeouts = 0;
  std::uint64_t drops = 0;        // of its packets and acknowledgements, losses included
  double goodput = 0;             // bytes by busy time
  std::uint64_t round_trips = 0;  // measurements
  double round_trip_min = 0, round_trip_mean = 0, round_trip_p99 = 0;
  double window_max = 0, window_mean = 0;  // mean over the busy time; 0: no window
  double busy_seconds = 0;
  double sending_seconds = 0;          // packets wait for their turn at the host, or are being sent
  double stalled_window_seconds = 0;   // by the window of the transport
  double stalled_network_seconds = 0;  // by congestion control or the timer
  double stalled_peer_seconds = 0;     // all is sent: for the handshake, the arrival, or an acknowledgement
  double timer_wait_seconds = 0;       // for timers that then expired
};

struct MessageStatistics {
  std::uint32_t connection = 0;  // index into the connections
  TransferKind kind = TransferKind::plain;
  bool has_failed = false;
  std::uint64_t bytes = 0;
  double start = 0, end = 0;
  double ideal_seconds = 0;  // on an empty network, without handshake and windows
  double timer_wait_seconds = 0;
  double slow_down() const { return ideal_seconds > 0 ? (end - start) / ideal_seconds : 1; }
};

struct Percentiles {
  double p50 = 0, p95 = 0, p99 = 0;
};

// Of data, without announcements and answers.
struct MessageClass {
  std::optional<std::uint64_t> up_to_bytes;  // none: the largest
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  Percentiles seconds, slow_down;
};

struct NetworkStatistics {
  double end_seconds = 0;
  std::vector<LinkStatistics> links;  // those that were used, in the order of the platform
  Duration slice;                     // of their rates
  std::vector<ConnectionStatistics> connections;
  std::vector<MessageStatistics> messages;  // in the order of their ends
  std::uint64_t messages_more = 0;          // that are not in the list
  std::vector<MessageStatistics> slowest;   // the greatest slow-downs of data, at most ten
  std::vector<MessageClass> classes;
  std::vector<Series> series;
  // Neighbours on the paths, the smaller one first. A host has its number; a link has its number plus the number of
  // hosts.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
};

class PacketStatistics {
 public:
  virtual ~PacketStatistics() = default;
  // By the cost model.
  virtual packet::Observer& attach(const Platform& platform, const packet::Network& network) = 0;
  // Once.
  virtual NetworkStatistics finish(TimePoint end) = 0;
};

// `series`: links:REGEX, connections:REGEX, or both with a comma between them; those in whose name a part matches.
// Empty: the first few links with a queue and the first few connections, with at most 1,000 points.
Result<std::unique_ptr<PacketStatistics>> make_packet_statistics(const std::string& series);

}  // namespace rehearse
