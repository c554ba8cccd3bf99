// SPDX-License-Identifier: MIT
//
// Converts a date to seconds.
#include "app/cli/date.hpp"

#include <array>
#include <chrono>
#include <cstdio>

namespace rehearse::cli {

Result<std::optional<std::int64_t>> read_date(const std::string& text) {
  using namespace std::chrono;
  if (text.empty()) return std::optional<std::int64_t>();
  const auto in_seconds = [](auto date) -> std::optional<std::int64_t> {
    return duration_cast<seconds>(date.time_since_epoch()).count();
  };
  if (text == "now") return in_seconds(system_clock::now());
  std::array<int, 6> parts{};
  int end = 0;
  const char* begin = text.c_str();
  int read = std::sscanf(begin, "%4d-%2d-%2d%n", &parts[0], &parts[1], &parts[2], &end);
  bool is_whole = read == 3 && end == 10;
  if (is_whole && text.size() > 10) {
    int more = 0;
    read = std::sscanf(begin + 10, "T%2d:%2d:%2d%n", &parts[3], &parts[4], &parts[5], &more);
    is_whole = read == 3 && more == 9 && text.size() == 19;
  }
  const year_month_day date{year(parts[0]), month(static_cast<unsigned>(parts[1])),
                            day(static_cast<unsigned>(parts[2]))};
  const auto is_below = [](int value, int limit) { return value >= 0 && value < limit; };
  const bool is_time = is_below(parts[3], 24) && is_below(parts[4], 60) && is_below(parts[5], 60);
  if (!is_whole || !date.ok() || !is_time || parts[0] < 1970)
    return Error{"'" + text + "' given; accepted: now, YYYY-MM-DD or YYYY-MM-DDThh:mm:ss, from 1970 on"};
  return in_seconds(sys_days(date) + hours(parts[3]) + minutes(parts[4]) + seconds(parts[5]));
}

}  // namespace rehearse::cli
