// SPDX-License-Identifier: MIT
//
// Writes workflow commands.
#include "app/cli/report/annotations.hpp"

#include <algorithm>

#include "app/cli/report/place_in_tree.hpp"
#include "app/wording.hpp"

namespace rehearse::cli {
namespace {

std::string escaped(const std::string& text, std::string_view also) {
  std::string result;
  for (const char c : text) {
    if (c == '%') result += "%25";
    else if (c == '\r') result += "%0D";
    else if (c == '\n') result += "%0A";
    else if (c == ':' && also.find(c) != also.npos) result += "%3A";
    else if (c == ',' && also.find(c) != also.npos) result += "%2C";
    else result += c;
  }
  return result;
}

std::string property(const char* name, const std::string& value) {
  return std::string(name) + "=" + escaped(value, ":,");
}

std::string_view command_of(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: return "notice";
  }
  return "notice";
}

std::string annotation(const Finding& finding, const std::string& folder) {
  std::string line = "::" + std::string(command_of(finding.severity)) + " ";
  const auto place = std::ranges::find_if(finding.locations, [](const Location& each) { return !each.file.empty(); });
  if (place != finding.locations.end()) {
    line += property("file", path_in_tree(place->file, folder)) + ",";
    if (place->line > 0) line += property("line", std::to_string(place->line)) + ",";
  }
  std::string text = app::describe(finding);
  text.erase(text.find_last_not_of('\n') + 1);
  return line + property("title", finding.id.text()) + "::" + escaped(text, "") + "\n";
}

}  // namespace

std::string github_annotations(const app::CheckReport& report, const std::string& folder) {
  std::string text;
  for (const Finding& finding : report.verdict.findings) text += annotation(finding, folder);
  const app::Answer answer = app::answer_of(report.verdict);
  if (answer == app::Answer::violation) return text;
  const std::string command = answer == app::Answer::verified ? "notice" : "warning";
  return text + "::" + command + " " + property("title", std::string("rehearse check ") + report.program) +
         "::" + escaped(verdict_line(report), "") + "\n";
}

}  // namespace rehearse::cli
