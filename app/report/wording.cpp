// SPDX-License-Identifier: MIT
//
// Words and numbers for people.
#include "app/wording.hpp"

#include <algorithm>
#include <cstdio>

#include "app/likewise.hpp"
#include "app/policies.hpp"
#include "properties/catalogue.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {

constexpr std::size_t text_columns = 100;

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

std::string advice_on(const std::vector<std::string>& reasons, const std::string& program) {
  const auto is_missing = [](const std::string& reason) {
    return reason.find("is not supported yet") != std::string::npos;
  };
  return std::ranges::any_of(reasons, is_missing)
             ? "; `rehearse list calls " + program + "` lists all missing functions"
             : "";
}

std::string place_of(const Location& location) {
  std::string text = location.file;
  if (!text.empty() && location.line > 0) text += fmt::format(":{}", location.line);
  if (!location.function.empty()) text += (text.empty() ? "in " : " in ") + location.function;
  return text;
}

namespace {

// The program was compiled without information on its lines.
bool lacks_line(const Location& location) { return location.file.empty() && !location.function.empty(); }

}  // namespace

std::string in_seconds(TimePoint time) {
  char text[64];
  std::snprintf(text, sizeof text, "%.9f s", time.seconds());
  return text;
}

std::string wrapped(std::string_view text, std::size_t columns, std::string_view indent) {
  std::string result;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (column > 0 && column + 1 + word.size() > columns) {
      result += "\n" + std::string(indent);
      column = indent.size();
    } else if (column > 0) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

std::string describe(const Finding& finding) {
  std::string text = wrapped(finding.id.text() + ": " + whole_message(finding), text_columns, "  ") + "\n";
  for (const Policy& policy : without_variants(finding.policies)) {
    const std::string line = fmt::format("happens where {} (policy {})", in_words(policy), to_text(policy));
    text += fmt::format("  {}\n", wrapped(line, text_columns - 2, "    "));
  }
  const auto first_without_line = std::ranges::find_if(finding.locations, lacks_line);
  for (auto at = finding.locations.begin(); at != finding.locations.end(); ++at) {
    const Location& location = *at;
    const std::string place = place_of(location);
    const char* const where = place.empty() ? "" : lacks_line(location) ? " " : " at ";
    text += fmt::format("  rank {}{}{}{}\n", location.actor.value, where, place,
                        at == first_without_line ? "; compile with -g for lines" : "");
    if (!location.call.empty()) text += "      in " + location.call + "\n";
    if (!location.what.empty()) text += "      " + location.what + "\n";
  }
  const properties::Check* check = properties::find_check(finding.id.text());
  if (check == nullptr) return text;
  if (!check->clause.empty()) text += "  standard: MPI 4.1, section " + std::string(check->clause) + "\n";
  const std::string_view advice = finding.advice.empty() ? check->advice : finding.advice;
  return text + "  what to do: " + wrapped(advice, text_columns - 14, "      ") + "\n";
}

}  // namespace rehearse::app
