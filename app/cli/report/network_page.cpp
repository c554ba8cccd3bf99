// SPDX-License-Identifier: MIT
//
// See network_page.hpp. The page reads one JSON document (page/network.js).
#include "app/cli/report/network_page.hpp"

#include <algorithm>
#include <ostream>
#include <set>
#include <span>

#include "app/cli/report/page_sources.hpp"
#include "app/cli/report/page_text.hpp"
#include "app/version.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

constexpr std::size_t dots_max = 20'000;  // messages in the picture
constexpr std::size_t top_rows = 10;

std::string bytes_base64(const std::vector<float>& numbers) {
  std::string text;
  add_base64(text, std::as_bytes(std::span(numbers)));
  return text;
}

// The indices of the largest elements.
template <class Element, class Key>
std::vector<const Element*> largest(const std::vector<Element>& elements, const Key& key) {
  std::vector<const Element*> all;
  for (const Element& element : elements) all.push_back(&element);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), top_rows));
  std::partial_sort(all.begin(), middle, all.end(), [&](const Element* a, const Element* b) {
    const auto one = key(*a), other = key(*b);
    return one == other ? a < b : one > other;
  });
  all.erase(middle, all.end());
  return all;
}

std::string in_percent(double share) { return fmt::format("{:.1f} %", 100 * share); }
std::string in_milliseconds(double seconds) { return fmt::format("{:.6g} ms", 1e3 * seconds); }

class NetworkPage {
 public:
  NetworkPage(const NetworkStatistics& statistics, const Subject& subject) : all_(statistics), subject_(subject) {}

  app::Json make() const {
    app::Json json = {{"end", all_.end_seconds * 1e12}, {"slice", all_.slice.picoseconds}};
    add_machine(json);
    add_messages(json);
    add_series(json);
    json["tables"] = app::Json::array();
    json["tables"].push_back(links());
    json["tables"].push_back(connections());
    json["tables"].push_back(messages());
    return json;
  }

 private:
  // The hosts and used links as on the page of a run.
  void add_machine(app::Json& json) const {
    const Platform& platform = subject_.platform;
    const auto first_link = static_cast<std::uint32_t>(platform.hosts().size());
    json["hosts"] = app::Json::array();
    json["links"] = app::Json::array();
    json["edges"] = app::Json::array();
    std::set<std::uint32_t> hosts;
    for (const auto& [from, to] : all_.edges) {
      json["edges"].push_back(app::Json::array({from, to}));
      if (from < first_link) hosts.insert(from);
    }
    for (const std::uint32_t host : hosts)
      json["hosts"].push_back({{"id", host}, {"name", platform.host({host}).name}, {"flops", 0}, {"speed", 1}});
    for (const LinkStatistics& link : all_.links) {
      const Link& of_platform = platform.link(link.link);
      json["links"].push_back({{"id", first_link + link.link.value},
                               {"name", of_platform.name},
                               {"capacity", of_platform.bytes_per_second},
                               {"rates", bytes_base64(link.rates)}});
    }
  }

  // Every n-th message, so that the picture has not too many.
  void add_messages(app::Json& json) const {
    std::vector<float> sizes, times, ideals;
    const std::size_t step = all_.messages.size() / dots_max + 1;
    for (std::size_t i = 0; i < all_.messages.size(); i += step) {
      const MessageStatistics& message = all_.messages[i];
      if (message.has_failed || message.kind == TransferKind::announcement || message.kind == TransferKind::answer)
        continue;
      sizes.push_back(static_cast<float>(message.bytes));
      times.push_back(static_cast<float>(message.end - message.start));
      ideals.push_back(static_cast<float>(message.ideal_seconds));
    }
    json["sizes"] = bytes_base64(sizes);
    json["times"] = bytes_base64(times);
    json["ideals"] = bytes_base64(ideals);
    json["messages"] = all_.messages.size() + all_.messages_more;
    app::Json rows = app::Json::array();
    for (const MessageClass& size : all_.classes) {
      app::Json row = app::Json::array();
      row.push_back(size.up_to_bytes ? "up to " + app::with_commas(*size.up_to_bytes) : "more");
      row.push_back(app::with_commas(size.messages));
      for (const double part : {size.seconds.p50, size.seconds.p95, size.seconds.p99})
        row.push_back(in_milliseconds(part));
      for (const double part : {size.slow_down.p50, size.slow_down.p95, size.slow_down.p99})
        row.push_back(fmt::format("{:.4g}", part));
      rows.push_back(std::move(row));
    }
    json["classes"] = std::move(rows);
  }

  void add_series(app::Json& json) const {
    json["series"] = app::Json::array();
    for (const Series& series : all_.series) {
      app::Json points = app::Json::array();
      for (const SeriesPoint& point : series.points)
        points.push_back(app::Json::array({point.seconds * 1e12, point.value, point.least, point.greatest}));
      json["series"].push_back(
          {{"name", series.subject}, {"quantity", series.quantity}, {"points", std::move(points)}});
    }
  }

  static app::Json table(const char* title, std::vector<std::string> header, app::Json rows, std::size_t all) {
    return {{"title", title}, {"header", app::Json(header)}, {"rows", std::move(rows)}, {"all", all}};
  }

  app::Json links() const {
    app::Json rows = app::Json::array();
    for (const LinkStatistics* link : largest(all_.links, [](const LinkStatistics& of) { return of.utilisation; }))
      rows.push_back(app::Json::array(
          {subject_.platform.link(link->link).name, app::with_commas(link->packets), in_percent(link->utilisation),
           app::with_commas(link->drops), app::with_commas(link->losses), app::with_commas(link->marks),
           app::with_commas(link->pauses), fmt::format("{:.0f}", link->mean_queue_bytes),
           app::with_commas(link->longest_queue_bytes), in_milliseconds(link->longest_at_seconds)}));
    return table("Links with the highest utilisation",
                 {"link", "packets", "used", "drops", "losses", "marks", "pauses", "mean queue", "longest queue", "at"},
                 std::move(rows), all_.links.size());
  }

  app::Json connections() const {
    app::Json rows = app::Json::array();
    const auto stalled = [](const ConnectionStatistics& of) {
      return of.stalled_window_seconds + of.stalled_network_seconds + of.stalled_peer_seconds;
    };
    for (const ConnectionStatistics* each : largest(all_.connections, stalled))
      rows.push_back(app::Json::array(
          {each->name, app::with_commas(each->messages), app::with_commas(each->bytes),
           fmt::format("{:.4g} MB/s", each->goodput * 1e-6), app::with_commas(each->retransmissions),
           app::with_commas(each->recoveries), app::with_commas(each->timeouts),
           each->round_trips > 0 ? in_milliseconds(each->round_trip_mean) : "-",
           each->window_max > 0 ? fmt::format("{:.0f}", each->window_max) : "-",
           in_milliseconds(each->stalled_window_seconds), in_milliseconds(each->stalled_network_seconds),
           in_milliseconds(each->stalled_peer_seconds)}));
    return table("Connections that stall longest",
                 {"connection", "messages", "bytes", "goodput", "retransmissions", "recoveries", "timeouts",
                  "round trip", "largest window", "stalled by window", "by network", "by peer"},
                 std::move(rows), all_.connections.size());
  }

  app::Json messages() const {
    app::Json rows = app::Json::array();
    for (const MessageStatistics& message : all_.slowest)
      rows.push_back(app::Json::array(
          {all_.connections[message.connection].name, app::with_commas(message.bytes), in_milliseconds(message.start),
           in_milliseconds(message.end), in_milliseconds(message.ideal_seconds),
           fmt::format("{:.4g}", message.slow_down()), in_milliseconds(message.timer_wait_seconds)}));
    return table("Slowest messages", {"connection", "bytes", "start", "end", "ideal", "slow-down", "waits for timer"},
                 std::move(rows), all_.messages.size() + all_.messages_more);
  }

  const NetworkStatistics& all_;
  const Subject& subject_;
};

}  // namespace

void write_network_page(std::ostream& out, const NetworkStatistics& statistics, const Subject& subject,
                        const std::string& verb, const std::vector<std::string>& notes) {
  app::Json json = NetworkPage(statistics, subject).make();
  json["rehearse"] = app::version;
  json["verb"] = verb;
  json["program"] = subject.program;
  json["notes"] = app::Json(notes);
  json["facts"] = app::Json::array();
  const auto fact = [&](const char* name, const std::string& value) {
    json["facts"].push_back(app::Json::array({name, value}));
  };
  fact("platform", subject.platform.name());
  fact("simulated time", fmt::format("{:.9g} s", statistics.end_seconds));
  fact("links", app::with_commas(statistics.links.size()));
  fact("connections", app::with_commas(statistics.connections.size()));
  fact("messages", app::with_commas(statistics.messages.size() + statistics.messages_more));
  out << page::head << "<title>" << for_html(subject.program) << ": network</title>\n<style>\n"
      << page::style << "</style>\n</head>\n"
      << page::network_body << "<script type=\"application/json\" id=\"statistics\">" << for_script(json)
      << "</script>\n<script>\n\"use strict\";\n"
      << page::network_script << "</script>\n</body>\n</html>\n";
}

}  // namespace rehearse::cli
