// SPDX-License-Identifier: MIT
//
// Words and numbers for people.
#include "cli/report/wording.hpp"

#include <cstdio>

#include "cli/policies.hpp"

namespace rehearse::cli {

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

std::string counted(std::uint64_t number, std::string_view noun) {
  return with_commas(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

std::string list_of(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::string place_of(const Location& location) {
  std::string text = location.file;
  if (!text.empty() && location.line > 0) text += ":" + std::to_string(location.line);
  if (!location.function.empty()) text += (text.empty() ? "in " : " in ") + location.function;
  return text;
}

std::string in_seconds(TimePoint time) {
  char text[64];
  std::snprintf(text, sizeof text, "%.9f s", time.seconds());
  return text;
}

std::string describe(const Finding& finding) {
  std::string text = finding.id + ": " + finding.message + "\n";
  for (const std::string& name : without_variants(finding.policies)) {
    auto policy = parse_policy(name);
    text += "  happens where " + (policy ? in_words(policy.value()) : name) + " (policy " + name + ")\n";
  }
  for (const Location& location : finding.locations) {
    const std::string place = place_of(location);
    text += "  rank " + std::to_string(location.actor.value) + (place.empty() ? "" : " at " + place) + "\n";
    if (!location.call.empty()) text += "      in " + location.call + "\n";
    if (!location.what.empty()) text += "      " + location.what + "\n";
  }
  return text;
}

}  // namespace rehearse::cli
