// SPDX-License-Identifier: MIT
//
// Totals of packets in words.
#include <algorithm>

#include "app/statistics.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr double least_share = 0.01;  // of the run; below it, nothing is noted

std::string percent_of(double part, double all) { return fmt::format("{:.1f} %", 100 * part / all); }

std::string between(const Platform& platform, HostId source, HostId destination) {
  return platform.host(source).name + " -> " + platform.host(destination).name;
}

void add_timers(std::vector<std::string>& notes, const PacketSummary& summary, const NetworkStatistics* statistics,
                double end_seconds) {
  const double waited = summary.totals.timer_wait.seconds();
  if (!(waited > least_share * end_seconds)) return;
  std::string note = fmt::format("messages wait for retransmission timers in {} of the time ({})",
                                 percent_of(waited, end_seconds), counted(summary.totals.timeouts, "timeout"));
  if (statistics != nullptr && !statistics->messages.empty()) {
    const MessageStatistics& slow = *std::ranges::max_element(statistics->messages, {}, [](const auto& message) {
      return message.timer_wait_seconds;
    });
    if (slow.timer_wait_seconds > 0)
      note += fmt::format("; the message {} of {} waits for {:.6g} s of its {:.6g} s",
                          statistics->connections[slow.connection].name, counted(slow.bytes, "byte"),
                          slow.timer_wait_seconds, slow.end - slow.start);
  }
  notes.push_back(std::move(note));
}

void add_queues(std::vector<std::string>& notes, const PacketSummary& summary, const Platform& platform,
                double end_seconds) {
  const PacketLink* fullest = nullptr;
  std::uint64_t others = 0;
  for (const PacketLink& link : summary.links) {
    if (!(link.full.seconds() > least_share * end_seconds)) continue;
    if (fullest != nullptr) ++others;
    if (fullest == nullptr || link.full > fullest->full) fullest = &link;
  }
  if (fullest == nullptr) return;
  std::string note = fmt::format("the queue of link {} is full in {} of the time and drops {}",
                                 platform.link(fullest->link).name, percent_of(fullest->full.seconds(), end_seconds),
                                 counted(fullest->drops, "packet"));
  if (others > 0) note += fmt::format("; likewise {} for shorter times", counted(others, "other link"));
  notes.push_back(std::move(note));
}

void add_window(std::vector<std::string>& notes, const PacketSummary& summary, const NetworkStatistics* statistics,
                const Platform& platform) {
  const SmallWindow& small = summary.small_window;
  if (small.messages == 0) return;
  std::string note =
      fmt::format("a window of {} limits {}; {} needs {} (its bandwidth times its round trip): --packet window={}",
                  counted(small.window_bytes, "byte"), counted(small.messages, "message"),
                  between(platform, small.source, small.destination), with_commas(small.needed_bytes),
                  small.needed_bytes);
  double stalled = 0, busy = 0;
  for (std::size_t i = 0; statistics != nullptr && i < statistics->connections.size(); ++i) {
    stalled += statistics->connections[i].stalled_window_seconds;
    busy += statistics->connections[i].busy_seconds;
  }
  if (busy > 0) note += fmt::format("; connections wait for it in {} of their time", percent_of(stalled, busy));
  notes.push_back(std::move(note));
}

}  // namespace

std::vector<std::string> notes_of(const PacketSummary& summary, const NetworkStatistics* statistics,
                                  const Platform& platform, double end_seconds) {
  std::vector<std::string> notes;
  if (end_seconds <= 0) return notes;
  add_timers(notes, summary, statistics, end_seconds);
  add_queues(notes, summary, platform, end_seconds);
  add_window(notes, summary, statistics, platform);
  return notes;
}

std::string line_of(const PacketSummary& summary, double wall_seconds) {
  const double hops = static_cast<double>(summary.totals.packet_hops);
  return fmt::format("{}, {}, {:.3g} million packet-hops per second", counted(summary.totals.packet_hops, "packet-hop"),
                     counted(summary.totals.events, "event"), wall_seconds > 0 ? hops * 1e-6 / wall_seconds : 0);
}

Json to_json(const PacketSummary& summary, const std::vector<std::string>& notes) {
  return {{"packet_hops", summary.totals.packet_hops},
          {"events", summary.totals.events},
          {"drops", summary.totals.drops},
          {"losses", summary.totals.losses},
          {"retransmissions", summary.totals.retransmissions},
          {"timeouts", summary.totals.timeouts},
          {"timer_wait_seconds", summary.totals.timer_wait.seconds()},
          {"notes", Json(notes)}};
}

}  // namespace rehearse::app
