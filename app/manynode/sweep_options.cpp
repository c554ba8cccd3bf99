// SPDX-License-Identifier: MIT
//
// The words of a sweep: numbers of ranks, parameters, variabilities.
#include <algorithm>
#include <charconv>

#include "app/sweep.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

constexpr std::uint32_t sweep_ranks_max = 1u << 24;
constexpr std::size_t sweep_values_max = 10'000;

std::vector<std::string> pieces_of(const std::string& text, char separator) {
  std::vector<std::string> pieces;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    pieces.push_back(text.substr(begin, end - begin));
    if (end == text.size()) return pieces;
    begin = end + 1;
  }
}

std::optional<std::uint32_t> count_in(const std::string& text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0 || number > sweep_ranks_max)
    return std::nullopt;
  return number;
}

// FROM..TO:xFACTOR or FROM..TO:+STEP.
bool append_range(const std::string& text, std::vector<std::uint32_t>& ranks) {
  const std::size_t dots = text.find(".."), colon = text.find(':');
  if (dots == std::string::npos || colon == std::string::npos || colon < dots || colon + 2 >= text.size()) return false;
  const auto from = count_in(text.substr(0, dots)), to = count_in(text.substr(dots + 2, colon - dots - 2));
  const auto step = count_in(text.substr(colon + 2));
  const bool multiplies = text[colon + 1] == 'x';
  if (!from || !to || !step || *from > *to || (!multiplies && text[colon + 1] != '+')) return false;
  if (multiplies && *step < 2) return false;
  for (std::uint64_t n = *from; n <= *to; n = multiplies ? n * *step : n + *step) {
    if (ranks.size() >= sweep_values_max) return false;
    ranks.push_back(static_cast<std::uint32_t>(n));
  }
  return true;
}

}  // namespace

Result<std::vector<std::uint32_t>> parse_rank_counts(const std::string& text) {
  std::vector<std::uint32_t> ranks;
  for (const std::string& piece : pieces_of(text, ',')) {
    if (const auto number = count_in(piece)) ranks.push_back(*number);
    else if (!append_range(piece, ranks))
      return Error{
          fmt::format("--ranks: '{}'; accepted: numbers from 1 to {} with commas between them, FROM..TO:xFACTOR, "
                      "FROM..TO:+STEP",
                      piece, sweep_ranks_max)};
  }
  for (std::size_t i = 0; i < ranks.size(); ++i)
    if (std::find(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(i), ranks[i]) !=
        ranks.begin() + static_cast<std::ptrdiff_t>(i))
      return Error{fmt::format("--ranks: {} is there twice", ranks[i])};
  return ranks;
}

Result<SweepAxis> parse_sweep_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string rest = equals == std::string::npos ? "" : text.substr(equals + 1);
  SweepAxis axis{text.substr(0, equals), pieces_of(rest, rest.find(';') == std::string::npos ? ',' : ';')};
  if (equals == std::string::npos || axis.key.empty() || std::ranges::find(axis.values, "") != axis.values.end())
    return Error{fmt::format("--vary: '{}'; accepted: KEY=VALUE,VALUE,...", text)};
  for (std::size_t i = 0; i < axis.values.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (axis.values[i] == axis.values[j])
        return Error{fmt::format("--vary: {}: '{}' is there twice", axis.key, axis.values[i])};
  return axis;
}

Result<std::vector<manynode::Variability>> parse_variabilities(const std::string& text) {
  using manynode::Variability;
  std::vector<Variability> all;
  for (const std::string& piece : pieces_of(text, ',')) {
    bool is_known = false;
    for (const Variability each :
         {Variability::full, Variability::mean, Variability::independent, Variability::trace}) {
      if (name_of(each) != piece) continue;
      is_known = true;
      if (std::ranges::find(all, each) == all.end()) all.push_back(each);
    }
    if (!is_known)
      return Error{fmt::format(
          "--variability: '{}'; accepted: full, mean, independent, trace, with commas between them", piece)};
  }
  return all;
}

}  // namespace rehearse::app
