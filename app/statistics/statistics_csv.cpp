// SPDX-License-Identifier: MIT
//
// Statistics as one table: a line for each number.
#include <ostream>

#include "app/statistics.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

class CsvLines {
 public:
  explicit CsvLines(std::ostream& out) : out_(out) {}

  void begin(const char* kind, const std::string& name) {
    front_ = std::string(kind) + ",";
    const bool is_plain = name.find_first_of(",\"\n") == std::string::npos;
    if (!is_plain) front_ += '"';
    for (const char letter : name) front_ += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    if (!is_plain) front_ += '"';
  }
  void add(const char* quantity, double value) { out_ << front_ << ',' << quantity << ",," << text_of(value) << '\n'; }
  void add(const char* quantity, std::uint64_t value) { out_ << front_ << ',' << quantity << ",," << value << '\n'; }
  void add_at(const std::string& quantity, double seconds, double value) {
    out_ << front_ << ',' << quantity << ',' << text_of(seconds) << ',' << text_of(value) << '\n';
  }

 private:
  static std::string text_of(double value) { return fmt::format("{}", value); }

  std::ostream& out_;
  std::string front_;
};

void add_links(CsvLines& lines, const NetworkStatistics& statistics, const Platform& platform) {
  for (const LinkStatistics& link : statistics.links) {
    lines.begin("link", platform.link(link.link).name);
    lines.add("packets", link.packets);
    lines.add("bytes", link.bytes);
    lines.add("utilisation", link.utilisation);
    lines.add("drops", link.drops);
    lines.add("losses", link.losses);
    lines.add("marks", link.marks);
    lines.add("pauses", link.pauses);
    lines.add("mean_queue_bytes", link.mean_queue_bytes);
    lines.add("longest_queue_bytes", link.longest_queue_bytes);
    lines.add("longest_queue_at", link.longest_at_seconds);
    lines.add("full_seconds", link.full_seconds);
    for (const QueueTime& time : link.histogram)
      lines.add(fmt::format("queue_seconds_up_to_{}", time.up_to_bytes).c_str(), time.seconds);
  }
}

void add_connections(CsvLines& lines, const NetworkStatistics& statistics) {
  for (const ConnectionStatistics& connection : statistics.connections) {
    lines.begin("connection", connection.name);
    lines.add("messages", connection.messages);
    lines.add("bytes", connection.bytes);
    lines.add("envelopes", connection.envelopes);
    lines.add("goodput", connection.goodput);
    lines.add("retransmissions", connection.retransmissions);
    lines.add("fast_recoveries", connection.recoveries);
    lines.add("timeouts", connection.timeouts);
    lines.add("drops", connection.drops);
    lines.add("round_trips", connection.round_trips);
    if (connection.round_trips > 0) {
      lines.add("round_trip_min", connection.round_trip_min);
      lines.add("round_trip_mean", connection.round_trip_mean);
      lines.add("round_trip_p99", connection.round_trip_p99);
    }
    if (connection.window_max > 0) {
      lines.add("window_max", connection.window_max);
      lines.add("window_mean", connection.window_mean);
    }
    lines.add("busy_seconds", connection.busy_seconds);
    lines.add("sending_seconds", connection.sending_seconds);
    lines.add("stalled_window_seconds", connection.stalled_window_seconds);
    lines.add("stalled_network_seconds", connection.stalled_network_seconds);
    lines.add("stalled_peer_seconds", connection.stalled_peer_seconds);
    lines.add("timer_wait_seconds", connection.timer_wait_seconds);
  }
}

const char* csv_kind(const MessageStatistics& message) {
  if (message.has_failed) return "failed_message";
  if (message.kind == TransferKind::announcement) return "announcement";
  return message.kind == TransferKind::answer ? "answer" : "message";
}

void add_messages(CsvLines& lines, const NetworkStatistics& statistics) {
  std::uint64_t number = 0;
  for (const MessageStatistics& message : statistics.messages) {
    const std::string& connection = statistics.connections[message.connection].name;
    lines.begin(csv_kind(message), fmt::format("{} message {}", connection, ++number));
    lines.add("bytes", message.bytes);
    lines.add("start", message.start);
    lines.add("end", message.end);
    lines.add("ideal_seconds", message.ideal_seconds);
    lines.add("slow_down", message.slow_down());
    lines.add("timer_wait_seconds", message.timer_wait_seconds);
  }
  for (const MessageClass& size : statistics.classes) {
    lines.begin("message_class", size.up_to_bytes ? fmt::format("up to {} bytes", *size.up_to_bytes) : "larger");
    lines.add("messages", size.messages);
    lines.add("bytes", size.bytes);
    lines.add("seconds_p50", size.seconds.p50);
    lines.add("seconds_p95", size.seconds.p95);
    lines.add("seconds_p99", size.seconds.p99);
    lines.add("slow_down_p50", size.slow_down.p50);
    lines.add("slow_down_p95", size.slow_down.p95);
    lines.add("slow_down_p99", size.slow_down.p99);
  }
}

}  // namespace

void write_csv(std::ostream& out, const NetworkStatistics& statistics, const Platform& platform, bool has_series) {
  out << "kind,name,quantity,seconds,value\n";
  CsvLines lines(out);
  lines.begin("run", platform.name());
  lines.add("end", statistics.end_seconds);
  lines.add("messages_more", statistics.messages_more);
  add_links(lines, statistics, platform);
  add_connections(lines, statistics);
  add_messages(lines, statistics);
  if (!has_series) return;
  for (const Series& series : statistics.series) {
    lines.begin("series", series.subject);
    for (const SeriesPoint& point : series.points) lines.add_at(series.quantity, point.seconds, point.value);
  }
}

}  // namespace rehearse::app
