// SPDX-License-Identifier: MIT
//
// Comparing lines.
#include "app/grading/output_comparison.hpp"

#include <algorithm>

#include "app/wording.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t shown_bytes = 120;

// Without blanks at the ends of lines and empty lines at the end of all.
Lines lines_of(const std::string& text) {
  Lines lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    line.erase(line.find_last_not_of(" \t\r") + 1);
    lines.push_back(std::move(line));
    begin = end + 1;
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::string shown(const std::string& line) {
  return "'" + (line.size() > shown_bytes ? line.substr(0, shown_bytes) + "..." : line) + "'";
}

std::string in_order(const Lines& expected, const Lines& lines) {
  for (std::size_t i = 0; i < std::max(expected.size(), lines.size()); ++i) {
    const std::string place = fmt::format("line {} of the output", i + 1);
    if (i >= lines.size()) return place + " is missing: " + shown(expected[i]);
    if (i >= expected.size()) return place + " is too much: " + shown(lines[i]);
    if (lines[i] != expected[i]) return place + " is " + shown(lines[i]) + ", not " + shown(expected[i]);
  }
  return "";
}

std::string in_any_order(Lines expected, Lines lines) {
  std::ranges::sort(expected);
  std::ranges::sort(lines);
  Lines missing, too_much;
  std::ranges::set_difference(expected, lines, std::back_inserter(missing));
  std::ranges::set_difference(lines, expected, std::back_inserter(too_much));
  std::string text;
  if (!missing.empty()) text = "a line of the output is missing: " + shown(missing.front());
  if (!too_much.empty())
    text += (text.empty() ? "a line of the output is too much: " : "; one is too much: ") + shown(too_much.front());
  return text;
}

std::string among_others(const Lines& expected, const Lines& lines) {
  auto at = lines.begin();
  for (const std::string& line : expected) {
    at = std::find(at, lines.end(), line);
    if (at == lines.end()) return "a line of the output is missing: " + shown(line);
    ++at;
  }
  return "";
}

std::string exactly(const std::string& expected, const std::string& output) {
  if (expected == output) return "";
  const std::string place = in_order(lines_of(expected), lines_of(output));
  return place.empty() ? "the output differs in blanks or line breaks" : place;
}

}  // namespace

std::string difference(const ExpectedOutput& expected, const std::string& output) {
  const Lines lines = lines_of(output);
  switch (expected.how) {
    case ExpectedOutput::How::exact: return exactly(expected.lines.front(), output);
    case ExpectedOutput::How::lines: return in_order(expected.lines, lines);
    case ExpectedOutput::How::sorted: return in_any_order(expected.lines, lines);
    case ExpectedOutput::How::contains: return among_others(expected.lines, lines);
  }
  return "";
}

}  // namespace rehearse::app
