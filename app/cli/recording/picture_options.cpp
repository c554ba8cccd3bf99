// SPDX-License-Identifier: MIT
//
// Selects the format of a file by the ending of its name.
#include "app/cli/recording/picture_options.hpp"

#include <array>
#include <iostream>
#include <ostream>
#include <span>
#include <string_view>

#include "app/cli/report/output_file.hpp"
#include "app/cli/verb_options.hpp"

namespace rehearse::cli {
namespace {

// One of the functions; none: a page.
struct Format {
  std::string_view ending;
  void (*write)(std::ostream& out, const app::Recording& recording, const Subject& subject) = nullptr;
  Result<trace::Losses> (*write_files)(const std::string& file, const app::Recording& recording,
                                       const Subject& subject) = nullptr;
};

constexpr std::array timelines = {Format{".html"},
                                  Format{".json", write_trace_events},
                                  Format{".paje", write_paje},
                                  Format{".otf2", nullptr, write_otf2},
                                  Format{".prv", nullptr, write_paraver},
                                  Format{".timed", write_timed_trace}};
constexpr std::array sequences = {Format{".dot", write_dot}, Format{".mmd", write_mermaid}};
constexpr std::array reports = {Format{".html"}};

const Format* find_format(std::span<const Format> formats, std::string_view file) {
  for (const Format& format : formats)
    if (file.size() > format.ending.size() && file.ends_with(format.ending)) return &format;
  return nullptr;
}

Rule with_ending_of(std::span<const Format> formats) {
  return Rule(
      [formats](std::string& file) {
        if (find_format(formats, file) != nullptr) return std::string();
        std::string accepted;
        for (const Format& format : formats)
          accepted += (accepted.empty() ? "" : ", ") + std::string("FILE") + std::string(format.ending);
        return "'" + file + "' given; accepted: " + accepted;
      },
      "FILE");
}

Result<void> write_page(const std::string& file, const app::Recording& recording, const Subject& subject,
                        HtmlReport& report) {
  report.recordings = {recording_for_page(recording, subject, 0)};
  report.files = files_of(recording);
  for (ReportedFinding& finding : report.findings) finding.recording = 0;
  return write_html(file, report);
}

Result<void> write(const Format& format, const std::string& file, const app::Recording& recording,
                   const Subject& subject) {
  if (format.write_files != nullptr) {
    const Result<trace::Losses> lost = format.write_files(file, recording, subject);
    if (!lost) return lost.error();
    for (const std::string& line : lost.value().lines())
      std::cerr << "rehearse: lost: " << line << " (" << file << ")\n";
    return {};
  }
  return write_file(file, [&](std::ostream& out) { format.write(out, recording, subject); });
}

}  // namespace

void declare_report(OptionSet& app, std::string& file) {
  app.add_option("--report", file, "file to write a report for browsers to, with everything in it: FILE.html")
      ->check(with_ending_of(reports));
}

void declare(OptionSet& app, PictureOptions& options) {
  app.add_option("--timeline", options.timeline,
                 "file to write the activities of every rank over time to: FILE.html (browsers), FILE.json (Chrome, "
                 "Perfetto), FILE.paje, FILE.otf2 (OTF2), FILE.prv (Paraver, with FILE.pcf and FILE.row), FILE.timed "
                 "(a line for each action)")
      ->check(with_ending_of(timelines));
  app.add_option("--sequence", options.sequence,
                 "file to write a chart of the messages to: FILE.dot (Graphviz), FILE.mmd (Mermaid)")
      ->check(with_ending_of(sequences));
  declare_report(app, options.report);
}

app::Recorded needed_for(const PictureOptions& options) {
  if (!options.timeline.empty() || !options.report.empty()) return app::Recorded::calls_and_resources;
  return options.any() ? app::Recorded::calls : app::Recorded::nothing;
}

Result<void> write_pictures(const PictureOptions& options, const app::Recording& recording, const Subject& subject,
                            HtmlReport report) {
  const auto make = [&](std::string_view option, std::span<const Format> formats, const std::string& file) {
    if (file.empty()) return Result<void>();
    const Format& format = *find_format(formats, file);
    const Result<void> written = format.write == nullptr && format.write_files == nullptr
                                     ? write_page(file, recording, subject, report)
                                     : write(format, file, recording, subject);
    return written ? written : Error{std::string(option) + ": " + written.error().text};
  };
  if (auto written = make("--timeline", timelines, options.timeline); !written) return written;
  if (auto written = make("--sequence", sequences, options.sequence); !written) return written;
  return make("--report", reports, options.report);
}

}  // namespace rehearse::cli
