// SPDX-License-Identifier: MIT
//
// The texts of alterations, and random factors.
#include "trace/alterations.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <numbers>

#include "simcore/support/format.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::trace {

namespace {

constexpr std::string_view accepted_items =
    "FACTOR or WHERE=FACTOR, separated by commas; WHERE is rank:N, rank:FIRST-LAST, FUNCTION, FILE:FUNCTION or "
    "FILE:LINE; FACTOR is a number from 0 on, or A/B";
constexpr std::string_view accepted_noise =
    "normal:DEVIATION, lognormal:DEVIATION, uniform:LOW,HIGH, exponential:MEAN, or a file with a factor on each line";

std::optional<double> amount_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) || value < 0)
    return std::nullopt;
  return value;
}

std::optional<std::uint32_t> whole_in(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// A number, or A/B.
std::optional<double> factor_in(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return amount_in(text);
  const auto above = amount_in(text.substr(0, slash)), below = amount_in(text.substr(slash + 1));
  if (!above || !below || *below <= 0) return std::nullopt;
  return *above / *below;
}

bool take_ranks(std::string_view text, ComputeFactor& item) {
  const std::size_t dash = text.find('-');
  item.first_rank = whole_in(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? item.first_rank : whole_in(text.substr(dash + 1));
  item.last_rank = last.value_or(0);
  return item.first_rank && last && *item.first_rank <= *last;
}

// The last colon that is not part of `::`.
std::size_t find_colon(std::string_view where) {
  for (std::size_t at = where.size(); at-- > 0;) {
    if (where[at] != ':') continue;
    if (at == 0 || where[at - 1] != ':') return at;
    --at;
  }
  return std::string_view::npos;
}

bool take_where(std::string_view where, ComputeFactor& item) {
  constexpr std::string_view ranks = "rank:";
  if (where.starts_with(ranks)) return take_ranks(where.substr(ranks.size()), item);
  const std::size_t colon = find_colon(where);
  const std::string_view last = colon == std::string_view::npos ? where : where.substr(colon + 1);
  if (colon != std::string_view::npos) item.file = where.substr(0, colon);
  if (last.empty() || colon == 0) return false;
  const bool is_line = colon != std::string_view::npos &&
                       last.find_first_not_of("0123456789") == std::string_view::npos;
  if (!is_line) {
    item.function = last;
    return true;
  }
  item.line = whole_in(last).value_or(0);
  return item.line > 0;
}

Result<std::vector<double>> numbers_in(const std::string& text, std::string_view list, std::size_t count) {
  std::vector<double> numbers;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    const auto number = amount_in(list.substr(at, end - at));
    if (!number) break;
    numbers.push_back(*number);
    at = end + 1;
    if (at > list.size() && numbers.size() == count) return numbers;
  }
  return Error{fmt::format("'{}' given; accepted: {}", text, accepted_noise)};
}

Result<Noise> read_sample(const std::string& file) {
  std::ifstream in(file);
  if (!in) return Error{fmt::format("'{}' given, which is no file; accepted: {}", file, accepted_noise)};
  Noise noise{Noise::Law::sample, 0, 0, {}, 1};
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    line.erase(std::min(line.find('#'), line.size()));
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos) continue;
    const std::string word = line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
    const auto factor = amount_in(word);
    if (!factor) return Error{fmt::format("{}:{}: '{}' given; accepted: a factor from 0 on", file, number, word)};
    noise.factors.push_back(*factor);
  }
  if (noise.factors.empty()) return Error{file + ": has no factor"};
  return noise;
}

// A value of the normal distribution with mean 0 and deviation 1. Source: Box and Muller, 1958.
double normal(SplitMix& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

}  // namespace

bool ComputeFactor::fits_place(std::string_view of_file, std::string_view of_function, std::uint32_t of_line) const {
  if (!function.empty() && function != of_function) return false;
  if (line != 0 && line != of_line) return false;
  if (file.empty()) return true;
  if (!of_file.ends_with(file)) return false;
  return of_file.size() == file.size() || of_file[of_file.size() - file.size() - 1] == '/';
}

std::string text_of(const ComputeFactor& item) {
  std::string text = item.file;
  if (item.line != 0 || (!item.file.empty() && !item.function.empty())) text += ':';
  return text + (item.line != 0 ? std::to_string(item.line) : item.function);
}

std::optional<ComputeFactor> parse_place(std::string_view where) {
  ComputeFactor item;
  if (!take_where(where, item)) return std::nullopt;
  return item;
}

Result<std::vector<ComputeFactor>> parse_compute_factors(const std::string& text) {
  std::vector<ComputeFactor> items;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string_view word = std::string_view(text).substr(at, end - at);
    at = end + 1;
    const std::size_t equals = word.rfind('=');
    ComputeFactor item;
    const auto factor = factor_in(equals == std::string_view::npos ? word : word.substr(equals + 1));
    const bool fits = factor && (equals == std::string_view::npos || take_where(word.substr(0, equals), item));
    if (!fits) return Error{fmt::format("'{}' given; accepted: {}", word, accepted_items)};
    item.factor = *factor;
    items.push_back(std::move(item));
  }
  return items;
}

Result<Noise> parse_noise(const std::string& text) {
  struct Known {
    std::string_view name;
    Noise::Law law;
    std::size_t numbers;
  };
  constexpr std::array known = {Known{"normal:", Noise::Law::normal, 1}, Known{"lognormal:", Noise::Law::lognormal, 1},
                                Known{"uniform:", Noise::Law::uniform, 2},
                                Known{"exponential:", Noise::Law::exponential, 1}};
  for (const auto& [name, law, count] : known) {
    if (!text.starts_with(name)) continue;
    const auto numbers = numbers_in(text, std::string_view(text).substr(name.size()), count);
    if (!numbers) return numbers.error();
    Noise noise{law, numbers.value()[0], count > 1 ? numbers.value()[1] : 0, {}, 1};
    if (law == Noise::Law::uniform && noise.first > noise.second)
      return Error{fmt::format("'{}' given; accepted: {}", text, accepted_noise)};
    return noise;
  }
  return read_sample(text);
}

double Noise::factor(std::uint32_t rank, std::uint64_t burst) const {
  if (law == Law::none) return 1;
  // Each burst has a generator of its own, so that no other burst or option moves its factor.
  SplitMix of_rank(seed ^ SplitMix(rank).next());
  SplitMix random(of_rank.next() ^ SplitMix(burst).next());
  switch (law) {
    case Law::none: return 1;
    case Law::normal: return std::max(0.0, 1 + first * normal(random));
    case Law::lognormal: return std::exp(first * normal(random) - first * first / 2);
    case Law::uniform: return first + (second - first) * random.uniform();
    case Law::exponential: return 1 - first * std::log(1 - random.uniform());
    case Law::sample: return factors[random.below(factors.size())];
  }
  return 1;
}

}  // namespace rehearse::trace
