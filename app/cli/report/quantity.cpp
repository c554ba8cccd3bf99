// SPDX-License-Identifier: MIT
//
// Writes quantities with the prefix that makes them short.
#include "app/cli/report/quantity.hpp"

#include <array>
#include <cstdio>

namespace rehearse::cli {
namespace {

std::string with_unit(double value, const char* prefix, const char* unit, int digits = 6) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*g %s%s", digits, value, prefix, unit);
  return text.data();
}

std::string large(double value, const char* unit, int digits = 6) {
  constexpr std::array prefixes = {"", "k", "M", "G", "T", "P", "E"};
  std::size_t at = 0;
  for (; value >= 1000 && at + 1 < prefixes.size(); ++at) value /= 1000;
  return with_unit(value, prefixes[at], unit, digits);
}

}  // namespace

std::string as_bandwidth(double bytes_per_second) { return large(bytes_per_second, "B/s"); }
std::string as_speed(double flops_per_second) { return large(flops_per_second, "flop/s"); }

std::string as_energy(double joules) { return large(joules, "J", 4); }
std::string as_power(double watts) { return large(watts, "W", 4); }

std::string as_latency(double seconds) {
  constexpr std::array prefixes = {"", "m", "u", "n", "p"};
  std::size_t at = 0;
  for (; seconds > 0 && seconds < 1 && at + 1 < prefixes.size(); ++at) seconds *= 1000;
  return with_unit(seconds, prefixes[at], "s");
}

}  // namespace rehearse::cli
