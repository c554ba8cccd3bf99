// SPDX-License-Identifier: MIT
//
// See series_choice.hpp.
#include "simcore/statistics/series_choice.hpp"

#include <algorithm>

#include "simcore/support/format.hpp"

namespace rehearse::statistics {

Result<SeriesChoice> SeriesChoice::parse(const std::string& text) {
  constexpr std::string_view links = "links:", connections = "connections:";
  SeriesChoice choice;
  choice.is_default_ = text.empty();
  std::size_t at = 0;
  while (at < text.size()) {
    const std::string_view rest = std::string_view(text).substr(at);
    const bool is_link = rest.starts_with(links);
    if (!is_link && !rest.starts_with(connections))
      return Error{fmt::format("--series: '{}' given; accepted: links:REGEX, connections:REGEX, or both with a comma "
                               "between them",
                               text)};
    const std::string_view word = is_link ? links : connections;
    // A regular expression can have commas.
    const std::size_t end = std::min(text.find(",links:", at), text.find(",connections:", at));
    const std::string pattern(rest.substr(word.size(), end == std::string::npos ? end : end - at - word.size()));
    std::optional<std::regex>& target = is_link ? choice.links_ : choice.connections_;
    if (target) return Error{fmt::format("--series: '{}' has two expressions for {}", text, word)};
    try {
      target.emplace(pattern);
    } catch (const std::regex_error& error) {
      return Error{fmt::format("--series: '{}': {}; accepted: a regular expression", pattern, error.what())};
    }
    at = end == std::string::npos ? text.size() : end + 1;
  }
  return choice;
}

}  // namespace rehearse::statistics
