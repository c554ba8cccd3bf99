// SPDX-License-Identifier: MIT
//
// Composes the page: its parts, the report as JSON, the sources that findings and calls name, recordings.
#include "app/cli/report/html_report.hpp"

#include <bit>
#include <fstream>
#include <iterator>
#include <map>
#include <ostream>
#include <span>

#include "app/cli/report/output_file.hpp"
#include "app/cli/report/page_columns.hpp"
#include "app/cli/report/page_sources.hpp"
#include "app/cli/report/page_text.hpp"
#include "app/likewise.hpp"
#include "app/version.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

static_assert(std::endian::native == std::endian::little, "the page reads little-endian numbers");

constexpr std::size_t source_bytes_max = std::size_t{1} << 20;

class RecordingPart {
 public:
  RecordingPart(const app::Recording& recording, const Subject& subject, std::uint32_t index)
      : recording_(recording), subject_(subject), name_(fmt::format("recording-{}", index)) {}

  std::string make() {
    const PageColumns columns = columns_of(recording_);
    app::Json json = {{"platform", subject_.platform.name()}, {"network", subject_.network},
                      {"end", recording_.end.picoseconds},    {"lanes", recording_.lanes},
                      {"texts", app::Json::array()},          {"places", app::Json::array()},
                      {"doings", app::Json::array()},         {"kinds", columns.kinds},
                      {"envelopes", columns.envelopes},       {"open", columns.open},
                      {"repeated", columns.repeated},         {"times", columns.times}};
    for (std::uint32_t i = 0; i < recording_.texts.size(); ++i) json["texts"].push_back(recording_.texts[i]);
    for (const app::RecordedPlace& place : recording_.places)
      json["places"].push_back({place.function, place.file, place.line});
    for (std::uint32_t i = 0; i < app::doings; ++i) json["doings"].push_back(name_of(static_cast<app::Doing>(i)));
    add_collectives(json);
    add_stops(json, columns);
    add_machine(json);
    add("first", columns.first);
    add("begin", columns.begin);
    add("duration", columns.duration);
    add("kind", columns.kind);
    add("collective", columns.collective);
    add("sender", columns.sender);
    add("receiver", columns.receiver);
    add("envelope", columns.envelope);
    add("sent", columns.sent);
    add("flight", columns.flight);
    add_passages(json);
    return "<script type=\"application/json\" class=\"recording\" id=\"" + name_ + "\">" + for_script(json) +
           "</script>\n" + arrays_;
  }

 private:
  template <class T>
  void add(const char* column, const std::vector<T>& numbers) {
    arrays_ += "<script type=\"text/plain\" id=\"" + name_ + "-" + column + "\">";
    add_base64(arrays_, std::as_bytes(std::span(numbers)));
    arrays_ += "</script>\n";
  }

  void add_passages(app::Json& json) {
    std::vector<std::uint32_t> from, to;
    std::vector<double> sent;
    std::vector<float> flight;
    for (const app::RecordedPassage& passage : recording_.passages) {
      from.push_back(passage.source);
      to.push_back(passage.destination);
      sent.push_back(static_cast<double>(passage.sent.picoseconds));
      flight.push_back(static_cast<float>(passage.arrived.picoseconds - passage.sent.picoseconds));
    }
    json["passages_more"] = recording_.passages_more;
    add("inner_from", from);
    add("inner_to", to);
    add("inner_sent", sent);
    add("inner_flight", flight);
  }

  void add_collectives(app::Json& json) const {
    json["collectives"] = app::Json::array();
    for (const app::RecordedCollective& collective : recording_.collectives)
      json["collectives"].push_back({collective.name, collective.context, collective.number});
  }

  void add_stops(app::Json& json, const PageColumns& columns) const {
    json["stops"] = app::Json::array();
    for (const app::RecordedStop& stop : recording_.stops) {
      json["stops"].push_back({{"host", stop.host.value},
                               {"state", name_of(stop.state)},
                               {"time", stop.time.picoseconds},
                               {"waits", stop.waits_for}});
      if (stop.interval != app::none) json["stops"].back()["interval"] = columns.new_number[stop.interval];
    }
  }

  // The hosts with ranks or work, the used links, and their neighbours.
  void add_machine(app::Json& json) const {
    const Platform& platform = subject_.platform;
    std::map<std::uint32_t, double> hosts;
    for (const app::RecordedStop& stop : recording_.stops) hosts[stop.host.value] = 0;
    for (std::uint32_t i = 0; i < recording_.host_flops.size(); ++i)
      if (recording_.host_flops[i] > 0) hosts[i] = recording_.host_flops[i];
    json["hosts"] = app::Json::array();
    for (const auto& [number, flops] : hosts) {
      const Host& host = platform.host({number});
      json["hosts"].push_back(
          {{"id", number}, {"name", host.name}, {"flops", flops}, {"speed", host.flops_per_second * host.cores}});
    }
    json["slice"] = recording_.slice.picoseconds;
    json["links"] = app::Json::array();
    const auto first_link = static_cast<std::uint32_t>(platform.hosts().size());
    for (const app::RecordedLink& link : recording_.links) {
      std::string rates;
      add_base64(rates, std::as_bytes(std::span(link.rates)));
      const Link& of_platform = platform.link(link.link);
      json["links"].push_back({{"id", first_link + link.link.value},
                               {"name", of_platform.name},
                               {"capacity", of_platform.bytes_per_second},
                               {"rates", rates}});
    }
    json["edges"] = app::Json::array();
    for (const app::RecordedEdge& edge : recording_.edges) json["edges"].push_back({edge.from, edge.to});
  }

  const app::Recording& recording_;
  const Subject& subject_;
  std::string name_, arrays_;
};

app::Json report_json(const HtmlReport& report) {
  app::Json json = {{"rehearse", app::version},       {"verb", report.verb},         {"program", report.program},
                    {"verdict", report.verdict},      {"headline", report.headline}, {"facts", report.facts},
                    {"findings", app::Json::array()}, {"tables", app::Json::array()}};
  for (const ReportedFinding& reported : report.findings) {
    app::Json finding = app::to_json(reported.finding);
    finding["message"] = app::whole_message(reported.finding);
    if (reported.recording) finding["recording"] = *reported.recording;
    if (!reported.note.empty()) finding["note"] = reported.note;
    if (!reported.predicted.empty()) finding["predicted"] = reported.predicted;
    json["findings"].push_back(std::move(finding));
  }
  for (const ReportTable& table : report.tables) {
    app::Json rows = app::Json::array();
    for (const std::vector<std::string>& row : table.rows) rows.push_back(app::Json(row));
    json["tables"].push_back(
        {{"title", table.title}, {"header", app::Json(table.header)}, {"rows", std::move(rows)}, {"note", table.note}});
  }
  return json;
}

// The texts of the files that the report names and that can be read. The page reports the others as missing.
app::Json sources_of(const HtmlReport& report) {
  app::Json sources = app::Json::object();
  const auto add = [&](const std::string& file) {
    if (file.empty() || sources.contains(file)) return;
    std::ifstream in(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (in && !text.empty() && text.size() <= source_bytes_max) sources[file] = std::move(text);
  };
  for (const ReportedFinding& reported : report.findings)
    for (const Location& location : reported.finding.locations) add(location.file);
  for (const std::string& file : report.files) add(file);
  return sources;
}

}  // namespace

std::string recording_for_page(const app::Recording& recording, const Subject& subject, std::uint32_t index) {
  return RecordingPart(recording, subject, index).make();
}

std::vector<std::string> files_of(const app::Recording& recording) {
  std::vector<std::string> files;
  for (const app::RecordedPlace& place : recording.places)
    if (place.file != 0) files.push_back(recording.texts[place.file]);
  return files;
}

void write_html(std::ostream& out, const HtmlReport& report) {
  const auto json = [&](const char* id, const app::Json& content) {
    out << "<script type=\"application/json\" id=\"" << id << "\">" << for_script(content) << "</script>\n";
  };
  out << page::head << "<title>" << for_html(report.program) << ": " << for_html(report.verdict)
      << "</title>\n<style>\n"
      << page::style << "</style>\n</head>\n"
      << page::body;
  json("report", report_json(report));
  json("sources", sources_of(report));
  for (const std::string& recording : report.recordings) out << recording;
  out << "<script>\n\"use strict\";\n" << page::script << "</script>\n</body>\n</html>\n";
}

Result<void> write_html(const std::string& file, const HtmlReport& report) {
  return write_file(file, [&report](std::ostream& out) { write_html(out, report); });
}

}  // namespace rehearse::cli
