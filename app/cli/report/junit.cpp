// SPDX-License-Identifier: MIT
//
// Writes JUnit XML. Source of the shape: the schema of the Jenkins xUnit plugin (junit-10.xsd).
#include "app/cli/report/junit.hpp"

#include <algorithm>
#include <cstdio>

#include "app/finding_json.hpp"

namespace rehearse::cli {
namespace {

// Valid UTF-8 without the characters that XML 1.0 cannot contain, even escaped.
std::string cleaned(const std::string& text) {
  std::string valid = app::parse_json(app::Json(text).dump()).value();
  std::ranges::replace_if(
      valid, [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r'; }, '?');
  for (const char* none : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})  // U+FFFE, U+FFFF
    for (std::size_t at; (at = valid.find(none)) != std::string::npos;) valid.replace(at, 3, "?");
  return valid;
}

std::string escaped(const std::string& text, bool in_attribute) {
  std::string result;
  for (const char c : cleaned(text)) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += in_attribute ? "&quot;" : "\""; break;
      case '\n': result += in_attribute ? "&#10;" : "\n"; break;
      case '\t': result += in_attribute ? "&#9;" : "\t"; break;
      case '\r': result += "&#13;"; break;
      default: result += c;
    }
  }
  return result;
}

std::string attribute(const char* name, const std::string& value) {
  return std::string(" ") + name + "=\"" + escaped(value, true) + "\"";
}

std::string seconds_of(double seconds) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3f", seconds);
  return text;
}

std::string totals(const std::vector<const JUnitCase*>& cases) {
  const auto count = [&](JUnitCase::Result result) {
    return std::to_string(std::ranges::count(cases, result, [](const JUnitCase* each) { return each->result; }));
  };
  double seconds = 0;
  for (const JUnitCase* each : cases) seconds += each->seconds;
  return attribute("tests", std::to_string(cases.size())) + attribute("failures", count(JUnitCase::Result::failure)) +
         attribute("errors", count(JUnitCase::Result::error)) + attribute("time", seconds_of(seconds));
}

std::string element(const JUnitCase& each) {
  std::string text = "    <testcase" + attribute("name", each.name) + attribute("classname", each.class_name) +
                     attribute("time", seconds_of(each.seconds));
  if (each.result == JUnitCase::Result::passed) return text + "/>\n";
  const std::string kind = each.result == JUnitCase::Result::failure ? "failure" : "error";
  return text + ">\n      <" + kind + attribute("type", each.type) + attribute("message", each.message) + ">" +
         escaped(each.text, false) + "</" + kind + ">\n    </testcase>\n";
}

}  // namespace

std::string junit_xml(const std::vector<JUnitSuite>& suites) {
  std::vector<const JUnitCase*> all;
  std::string inner;
  for (const JUnitSuite& suite : suites) {
    std::vector<const JUnitCase*> cases;
    for (const JUnitCase& each : suite.cases) cases.push_back(&each);
    all.insert(all.end(), cases.begin(), cases.end());
    inner += "  <testsuite" + attribute("name", suite.name) + totals(cases) + ">\n";
    for (const JUnitCase& each : suite.cases) inner += element(each);
    inner += "  </testsuite>\n";
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rehearse\"" + totals(all) + ">\n" + inner +
         "</testsuites>\n";
}

}  // namespace rehearse::cli
