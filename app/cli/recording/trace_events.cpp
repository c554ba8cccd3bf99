// SPDX-License-Identifier: MIT
//
// Trace events as JSON: hosts are processes, ranks are threads, messages are flows, links are counters.
//
// Units: microseconds, with six decimals: picoseconds.
#include <algorithm>
#include <cstdio>
#include <set>

#include "app/cli/recording/exports.hpp"
#include "app/finding_json.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

std::string quoted(const std::string& text) { return app::Json(text).dump(); }

std::string in_microseconds(std::int64_t picoseconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%lld.%06lld", static_cast<long long>(picoseconds / 1'000'000),
                static_cast<long long>(picoseconds % 1'000'000));
  return text;
}

class TraceEvents {
 public:
  TraceEvents(std::ostream& out, const app::Recording& recording, const Subject& subject)
      : out_(out), recording_(recording), platform_(subject.platform) {
    for (std::uint32_t i = 0; i < recording.texts.size(); ++i) texts_.push_back(quoted(recording.texts[i]));
    for (std::uint32_t i = 0; i < recording.places.size(); ++i) places_.push_back(quoted(recording.place_text(i)));
    out_ << "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"program\":" << quoted(subject.program)
         << ",\"platform\":" << quoted(subject.platform.name()) << ",\"network\":" << quoted(subject.network)
         << "},\"traceEvents\":[";
  }

  void write() {
    name_ranks();
    for (const app::Interval& interval : recording_.intervals) write(interval);
    for (std::size_t i = 0; i < recording_.messages.size(); ++i) write(recording_.messages[i], i);
    for (const app::RecordedLink& link : recording_.links) write(link);
    out_ << "\n]}\n";
  }

 private:
  // Begins an event on the line of a rank; the caller ends it with a brace.
  std::ostream& begin(const char* phase, std::uint32_t rank, TimePoint date) {
    out_ << (is_first_ ? "\n" : ",\n") << "{\"ph\":\"" << phase << "\",\"pid\":" << process(recording_.stops[rank].host)
         << ",\"tid\":" << rank << ",\"ts\":" << in_microseconds(date.picoseconds);
    is_first_ = false;
    return out_;
  }

  static std::uint32_t process(HostId host) { return host.value + 1; }

  void name_ranks() {
    std::set<HostId> hosts;
    for (std::uint32_t rank = 0; rank < recording_.stops.size(); ++rank) {
      const HostId host = recording_.stops[rank].host;
      if (hosts.insert(host).second)
        begin("M", rank, {}) << ",\"name\":\"process_name\",\"args\":{\"name\":" << quoted(platform_.host(host).name)
                             << "}}";
      begin("M", rank, {}) << ",\"name\":\"thread_name\",\"args\":{\"name\":" << quoted(recording_.lane_name(rank))
                           << "}}";
    }
  }

  void write(const app::Interval& interval) {
    const std::string_view doing = name_of(interval.doing);
    const std::string name = interval.text == 0 ? std::string(doing)
                                                : std::string(function_of(recording_.texts[interval.text]));
    begin("X", interval.rank, interval.begin)
        << ",\"dur\":" << in_microseconds((interval.end - interval.begin).picoseconds) << ",\"name\":" << quoted(name)
        << ",\"cat\":\"" << doing << "\",\"args\":{";
    const char* separator = "";
    const auto add = [&](const char* key, const std::string& value) {
      out_ << separator << '"' << key << "\":" << value;
      separator = ",";
    };
    if (interval.text != 0) add("call", texts_[interval.text]);
    if (interval.place != 0) add("place", places_[interval.place]);
    if (interval.region != 0) add("region", texts_[interval.region]);
    if (interval.times > 1) add("times", std::to_string(interval.times));
    if (interval.is_open) add("ends", "\"never\"");
    out_ << "}}";
  }

  // A flow begins and ends inside intervals of calls: the one that started the send, and the one that started the
  // receive, or waited for it if the message arrived later.
  void write(const app::RecordedMessage& message, std::size_t number) {
    if (message.sender == app::none) return;
    const app::Interval& sender = recording_.intervals[message.sender];
    if (message.receiver == app::none) {
      begin("i", message.source, sender.begin)
          << ",\"s\":\"t\",\"name\":\"never received\",\"cat\":\"message\"," << described(message) << '}';
      return;
    }
    const bool is_awaited = message.receiver_end != app::none &&
                            message.arrived > recording_.intervals[message.receiver].end;
    const app::Interval& receiver = recording_.intervals[is_awaited ? message.receiver_end : message.receiver];
    begin("s", message.source, std::clamp(message.sent, sender.begin, sender.end))
        << ",\"id\":" << number << ",\"name\":\"message\",\"cat\":\"message\"," << described(message) << '}';
    begin("f", message.destination, std::clamp(message.arrived, receiver.begin, receiver.end))
        << ",\"bp\":\"e\",\"id\":" << number << ",\"name\":\"message\",\"cat\":\"message\"}";
  }

  static std::string described(const app::RecordedMessage& message) {
    return fmt::format(R"("args":{{"to":{},"tag":{},"bytes":{}}})", message.destination, message.tag, message.bytes);
  }

  void write(const app::RecordedLink& link) {
    const std::string name = quoted("link " + platform_.link(link.link).name);
    float before = -1;
    for (std::size_t i = 0; i < link.rates.size(); ++i) {
      if (link.rates[i] == before) continue;
      before = link.rates[i];
      char rate[40];
      std::snprintf(rate, sizeof rate, "%.6g", static_cast<double>(before));
      begin("C", 0, {static_cast<std::int64_t>(i) * recording_.slice.picoseconds})
          << ",\"name\":" << name << ",\"args\":{\"bytes per second\":" << rate << "}}";
    }
  }

  std::ostream& out_;
  const app::Recording& recording_;
  const Platform& platform_;
  std::vector<std::string> texts_, places_;  // as JSON
  bool is_first_ = true;
};

}  // namespace

std::string_view function_of(std::string_view call) { return call.substr(0, call.find('(')); }

void write_trace_events(std::ostream& out, const app::Recording& recording, const Subject& subject) {
  TraceEvents(out, recording, subject).write();
}

}  // namespace rehearse::cli
