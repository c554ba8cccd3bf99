// SPDX-License-Identifier: MIT
//
// Compares the output of a run for real with that of the simulation.
#include <algorithm>
#include <cctype>
#include <sstream>
#include <string>
#include <vector>

#include "app/real_actors.hpp"

namespace rehearse::app {
namespace {

bool is_of_number(char c) { return std::isdigit(static_cast<unsigned char>(c)) || c == '.' || c == 'e' || c == '-'; }
bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_'; }

// "at 0.25 s" becomes "at … s".
std::string without_dates(const std::string& line) {
  std::string result;
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = i;
    if (std::isdigit(static_cast<unsigned char>(line[i])) && (i == 0 || !is_of_word(line[i - 1])))
      while (end < line.size() && is_of_number(line[end])) ++end;
    const bool is_date = end > i && line.compare(end, 2, " s") == 0 &&
                         (end + 2 == line.size() || !std::isalnum(static_cast<unsigned char>(line[end + 2])));
    if (is_date) {
      result += "…";
      i = end;
    } else {
      result += line[i++];
    }
  }
  return result;
}

std::vector<std::string> lines_without_dates(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) lines.push_back(without_dates(line));
  return lines;
}

}  // namespace

OutputComparison compare_output(std::string_view real, std::string_view simulated) {
  std::vector<std::string> ours = lines_without_dates(real), theirs = lines_without_dates(simulated);
  OutputComparison result;
  result.lines = ours.size();
  result.is_in_order = ours == theirs;
  std::ranges::sort(ours);
  std::ranges::sort(theirs);
  result.is_same = ours == theirs;
  if (result.is_same) return result;
  std::vector<std::string> more, missing;
  std::ranges::set_difference(ours, theirs, std::back_inserter(more));
  std::ranges::set_difference(theirs, ours, std::back_inserter(missing));
  if (!more.empty()) result.first_difference = "only for real: " + more.front();
  if (!missing.empty()) result.first_difference += (more.empty() ? "" : "; ") + ("only simulated: " + missing.front());
  return result;
}

}  // namespace rehearse::app
