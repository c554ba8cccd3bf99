// SPDX-License-Identifier: MIT
//
// Parses quantities: numbers by the C++ library, units by small tables.
#include "simcore/platform/units.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>

namespace rehearse::platform {

namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array<Unit, 9> times{{{"w", 604800},
                                     {"d", 86400},
                                     {"h", 3600},
                                     {"m", 60},
                                     {"s", 1},
                                     {"ms", 1e-3},
                                     {"us", 1e-6},
                                     {"ns", 1e-9},
                                     {"ps", 1e-12}}};

constexpr std::array<Unit, 9> short_prefixes{
    {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"P", 1e15}, {"E", 1e18}, {"Z", 1e21}, {"Y", 1e24}}};

constexpr std::array<Unit, 8> long_prefixes{{{"kilo", 1e3},
                                             {"mega", 1e6},
                                             {"giga", 1e9},
                                             {"tera", 1e12},
                                             {"peta", 1e15},
                                             {"exa", 1e18},
                                             {"zeta", 1e21},
                                             {"yotta", 1e24}}};

constexpr std::array<Unit, 8> binary_prefixes{{{"Ki", 0x1p10},
                                               {"Mi", 0x1p20},
                                               {"Gi", 0x1p30},
                                               {"Ti", 0x1p40},
                                               {"Pi", 0x1p50},
                                               {"Ei", 0x1p60},
                                               {"Zi", 0x1p70},
                                               {"Yi", 0x1p80}}};

std::optional<double> find_factor(std::span<const Unit> units, std::string_view name) {
  for (const Unit& unit : units)
    if (unit.name == name) return unit.factor;
  return std::nullopt;
}

std::optional<std::string_view> without_ending(std::string_view text, std::string_view ending) {
  if (!text.ends_with(ending)) return std::nullopt;
  return text.substr(0, text.size() - ending.size());
}

std::optional<double> speed_factor(std::string_view unit) {
  for (const std::string_view ending : {"flops", "f"})
    if (const auto prefix = without_ending(unit, ending)) {
      if (const auto factor = find_factor(short_prefixes, *prefix)) return factor;
      if (const auto factor = find_factor(long_prefixes, *prefix)) return factor;
    }
  return std::nullopt;
}

std::optional<double> bandwidth_factor(std::string_view unit) {
  struct Ending {
    std::string_view text;
    double factor;
  };
  for (const Ending ending : {Ending{"Bps", 1}, Ending{"bps", 0.125}})
    if (const auto prefix = without_ending(unit, ending.text)) {
      auto factor = find_factor(short_prefixes, *prefix);
      if (!factor) factor = find_factor(binary_prefixes, *prefix);
      if (factor) return *factor * ending.factor;
    }
  return std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// The intended unit, if only upper and lower case are wrong: KBps for kBps.
template <class Factor>
std::optional<std::string> meant(std::string_view unit, Factor factor_of) {
  constexpr std::size_t letters_max = 9;
  if (unit.empty() || unit.size() > letters_max) return std::nullopt;
  std::optional<std::string> best;
  int fewest = static_cast<int>(letters_max) + 1;
  for (unsigned mask = 1; mask < 1u << unit.size(); ++mask) {
    std::string other(unit);
    for (std::size_t i = 0; i < other.size(); ++i)
      if (mask >> i & 1) other[i] = static_cast<char>(other[i] ^ 0x20);
    const int changes = std::popcount(mask);
    if (changes >= fewest || !factor_of(other)) continue;
    best = other;
    fewest = changes;
  }
  return best;
}

template <class Factor>
Result<double> parse(std::string_view text, const char* what, const char* accepted, Factor factor_of) {
  constexpr std::size_t shown_max = 40;
  const std::string_view whole = trimmed(text);
  const auto error = [&](const std::string& hint) {
    return Error{std::string(what) + " '" + std::string(text.substr(0, shown_max)) + "' is not a number and a unit (" +
                 accepted + ")" + hint};
  };
  double number = 0;
  const auto [end, code] = std::from_chars(whole.data(), whole.data() + whole.size(), number);
  if (code != std::errc() || !std::isfinite(number)) return error("");
  if (number < 0) return error("; it must not be negative");
  const std::string_view unit = trimmed(whole.substr(static_cast<std::size_t>(end - whole.data())));
  if (unit.empty()) return number;
  const std::optional<double> factor = factor_of(unit);
  if (factor && std::isfinite(number * *factor)) return number * *factor;
  const auto hint = factor ? std::nullopt : meant(unit, factor_of);
  return error(hint ? "; did you mean '" + *hint + "'?" : "");
}

}  // namespace

Result<double> parse_seconds(std::string_view text) {
  return parse(text, "time", "w d h m s ms us ns ps", [](std::string_view unit) { return find_factor(times, unit); });
}

Result<double> parse_flops_per_second(std::string_view text) {
  return parse(text, "speed", "f kf Mf Gf Tf ..., or flops kiloflops megaflops ...", speed_factor);
}

Result<double> parse_bytes_per_second(std::string_view text) {
  return parse(text, "bandwidth", "Bps kBps MBps GBps ..., KiBps MiBps ..., or bps kbps Mbps ...", bandwidth_factor);
}

}  // namespace rehearse::platform
