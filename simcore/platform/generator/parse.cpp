// SPDX-License-Identifier: MIT
//
// Parses the options of the generator.
#include <charconv>
#include <cmath>

#include "simcore/platform/units.hpp"
#include "simcore/platform_generator.hpp"

namespace rehearse {

namespace {

template <class Parse>
Result<RealRange> parse_range(const std::string& text, Parse parse) {
  const std::size_t dots = text.find("..");
  auto low = parse(text.substr(0, dots));
  if (!low) return low.error();
  if (dots == std::string::npos) return RealRange{low.value(), low.value()};
  auto high = parse(text.substr(dots + 2));
  if (!high) return high.error();
  if (high.value() < low.value()) return Error{"'" + text + "' ends before it begins; accepted: LOW..HIGH"};
  return RealRange{low.value(), high.value()};
}

template <class Number>
bool read_all(std::string_view text, Number& value) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size();
}

}  // namespace

Result<GeneratorOptions::Kind> parse_generator_kind(const std::string& name) {
  using Kind = GeneratorOptions::Kind;
  static constexpr std::pair<std::string_view, Kind> kinds[] = {{"star", Kind::star},
                                                                {"clique", Kind::clique},
                                                                {"waxman", Kind::waxman},
                                                                {"barabasi-albert", Kind::barabasi_albert},
                                                                {"clusters", Kind::clusters}};
  for (const auto& [word, kind] : kinds)
    if (word == name) return kind;
  return Error{"'" + name + "' is not a kind of graph; accepted: star, clique, waxman, barabasi-albert, clusters"};
}

Result<Promoter> parse_promoter(const std::string& text) {
  const Error error{"promoter '" + text +
                    "'; accepted: ROLE:DEGREES:PROBABILITY with a role host, cluster or router, "
                    "degrees N, N-M or N-, and a probability from 0 to 1"};
  const std::size_t first = text.find(':');
  const std::size_t second = first == std::string::npos ? first : text.find(':', first + 1);
  if (second == std::string::npos) return error;
  Promoter promoter;
  const std::string role = text.substr(0, first);
  if (role == "host") promoter.role = Promoter::Role::host;
  else if (role == "cluster") promoter.role = Promoter::Role::cluster;
  else if (role == "router") promoter.role = Promoter::Role::router;
  else return error;
  const std::string degrees = text.substr(first + 1, second - first - 1);
  const std::size_t dash = degrees.find('-');
  if (!read_all(degrees.substr(0, dash), promoter.degree_min)) return error;
  if (dash == std::string::npos) promoter.degree_max = promoter.degree_min;
  else if (dash + 1 < degrees.size() && !read_all(degrees.substr(dash + 1), promoter.degree_max)) return error;
  if (!read_all(text.substr(second + 1), promoter.probability)) return error;
  const bool is_sound = promoter.degree_max >= promoter.degree_min && promoter.probability >= 0 &&
                        promoter.probability <= 1;
  return is_sound ? Result<Promoter>(promoter) : Result<Promoter>(error);
}

Result<RealRange> parse_speed_range(const std::string& text) {
  return parse_range(text, platform::parse_flops_per_second);
}

Result<RealRange> parse_bandwidth_range(const std::string& text) {
  return parse_range(text, platform::parse_bytes_per_second);
}

Result<RealRange> parse_seconds_range(const std::string& text) { return parse_range(text, platform::parse_seconds); }

Result<RealRange> parse_count_range(const std::string& text) {
  return parse_range(text, [](const std::string& number) -> Result<double> {
    std::uint32_t value = 0;
    if (read_all(number, value)) return static_cast<double>(value);
    return Error{"'" + number + "' is not a whole number"};
  });
}

}  // namespace rehearse
