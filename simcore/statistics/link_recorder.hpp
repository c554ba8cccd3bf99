// SPDX-License-Identifier: MIT
//
// Links over time: their queues, their use, and the values of the chosen ones.
//
// Shape:   packets that wait come with the dates at which they leave the queue, so the length of a queue is known up to
//          the date of the last arrival.
// Threads: none.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "simcore/packet/network.hpp"
#include "simcore/packet/ring.hpp"
#include "simcore/packet_statistics.hpp"
#include "simcore/statistics/rate_series.hpp"
#include "simcore/statistics/series_choice.hpp"
#include "simcore/statistics/value_series.hpp"

namespace rehearse::statistics {

class LinkRecorder {
 public:
  LinkRecorder(const Platform& platform, const packet::Network& network, SeriesChoice& choice)
      : platform_(platform), fabric_(network.fabric()), parameters_(network.parameters()), choice_(choice) {}

  void transmit(std::uint32_t link, const packet::Packet& packet, Picoseconds start);
  void wait(std::uint32_t link, std::uint32_t bytes, Picoseconds from, Picoseconds until);
  void requeue(std::uint32_t link, Picoseconds now);

  // Adds links, their slice, and their series.
  void finish(NetworkStatistics& all, Picoseconds end);

 private:
  static constexpr std::uint32_t slices_max = 128, bins = 48;

  struct Leave {
    Picoseconds date;
    std::uint32_t bytes;
  };
  // Of a link of the network, also of a copy.
  struct Queue {
    packet::Ring<Leave> leaving;
    std::uint64_t bytes = 0;
    Picoseconds since = 0;
    std::uint32_t original = packet::nothing;
  };
  struct Values {
    ValueSeries queue;
    RateSeries rate;
  };
  // Of a link of the network, with its copies.
  struct Record {
    double queue_time = 0;  // bytes times picoseconds
    Picoseconds busy = 0;
    std::uint64_t longest = 0;
    Picoseconds longest_at = 0;
    std::array<Picoseconds, bins> histogram{};  // [0]: empty; [i]: up to 2^(i-1) full packets
    RateSeries rate{slices_max};
    std::optional<Values> values;
    bool has_queue = false;
    bool is_asked = false;  // whether its values are to be kept
  };

  Record& record_of(std::uint32_t original);
  void pass(Queue& queue, Picoseconds now);
  void hold(Queue& queue, Picoseconds until);
  static void note_queue(Record& record, Picoseconds date, Queue& queue);
  void ask(Record& record, std::uint32_t original);
  std::uint32_t bin_of(std::uint64_t bytes) const;
  LinkStatistics statistics_of(std::uint32_t original, const Record& record, Picoseconds end) const;

  const Platform& platform_;
  const packet::Fabric& fabric_;
  const packet::Parameters& parameters_;
  SeriesChoice& choice_;
  std::vector<Queue> queues_;    // by link of the network
  std::vector<Record> records_;  // by original link of the network
};

}  // namespace rehearse::statistics
