// SPDX-License-Identifier: MIT
//
// The links and connections whose values over time are kept (`--series`).
//
// Errors: the text, and the accepted ones; begins with `--series`.
#pragma once

#include <cstdint>
#include <optional>
#include <regex>
#include <string>

#include "simcore/packet_statistics.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::statistics {

class SeriesChoice {
 public:
  // `links:REGEX`, `connections:REGEX`, or both with a comma between them. Empty: the first of each.
  static Result<SeriesChoice> parse(const std::string& text);

  // Whether to keep the values of the next link, or connection, that has some.
  bool takes_link(const std::string& name) { return takes(links_, name, first_links_); }
  bool takes_connection(const std::string& name) { return takes(connections_, name, first_connections_); }
  bool is_default() const { return is_default_; }
  std::uint32_t points_max() const { return is_default_ ? default_points : series_points_max; }

 private:
  static constexpr std::uint32_t default_points = 1000, default_subjects = 24;

  bool takes(const std::optional<std::regex>& chosen, const std::string& name, std::uint32_t& first) const {
    if (is_default_) return first < default_subjects && ++first > 0;
    return chosen && std::regex_search(name, *chosen);
  }

  bool is_default_ = true;
  std::optional<std::regex> links_, connections_;
  std::uint32_t first_links_ = 0, first_connections_ = 0;
};

}  // namespace rehearse::statistics
