// SPDX-License-Identifier: MIT
//
// Messages: their dates, and the times that they would take on an empty network.
//
// Threads: none.
#pragma once

#include <array>
#include <vector>

#include "simcore/packet/network.hpp"
#include "simcore/packet_statistics.hpp"
#include "simcore/statistics/quantiles.hpp"

namespace rehearse::statistics {

using packet::Picoseconds;

class MessageRecorder {
 public:
  // `ideal`: on an empty network. `timer_wait`: of its connection so far.
  struct Start {
    std::uint32_t record = packet::nothing;  // of its connection
    std::uint32_t connection = 0;
    TransferKind kind = TransferKind::plain;
    double bytes = 0;
    Picoseconds start = 0;
    Picoseconds ideal = 0;
    Picoseconds timer_wait = 0;
  };

  void start(std::uint32_t activity, const Start& message);
  // Null: not known.
  const Start* find(std::uint32_t activity) const;
  void end(std::uint32_t activity, bool has_failed, Picoseconds timer_wait, Picoseconds now);
  void forget(std::uint32_t activity);

  void finish(NetworkStatistics& all);

 private:
  // Sizes up to 100 bytes, 1 kB, ..., 1 GB, and above.
  static constexpr std::uint32_t classes = 9;
  static constexpr std::size_t slowest_max = 10;

  struct Class {
    std::uint64_t bytes = 0;
    Quantiles seconds, slow_down;
  };

  static std::uint64_t bound_of(std::uint32_t index);
  void note_slow(const MessageStatistics& message);

  std::vector<Start> open_;  // by activity
  std::vector<MessageStatistics> list_;
  std::uint64_t more_ = 0;
  std::vector<MessageStatistics> slowest_;  // in descending order
  std::array<Class, classes> classes_;
};

}  // namespace rehearse::statistics
