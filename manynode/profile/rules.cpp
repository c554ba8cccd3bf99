// SPDX-License-Identifier: MIT
//
// See rules.hpp.
#include "manynode/profile/rules.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>

#include "simcore/support/format.hpp"

namespace rehearse::manynode {
namespace {

// Names of the ranks at 0, 1, 2, .. ends, by number of dimensions.
constexpr std::array<std::array<std::string_view, 4>, 3> boundary_names = {
    {{"interior", "end", "", ""}, {"interior", "edge", "corner", ""}, {"interior", "face", "edge", "corner"}}};

bool explains(const ClusterRule& rule, const RankCluster& cluster, std::uint32_t ranks) {
  auto next = cluster.ranks.begin();
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const bool is_member = next != cluster.ranks.end() && *next == rank;
    if (rule.contains(rank, ranks) != is_member) return false;
    if (is_member) ++next;
  }
  return true;
}

std::optional<ClusterRule> find_simple_rule(const RankCluster& cluster, std::uint32_t ranks) {
  using Kind = ClusterRule::Kind;
  for (const Kind kind : {Kind::all, Kind::first, Kind::last}) {
    if (const ClusterRule rule{kind}; explains(rule, cluster, ranks)) return rule;
  }
  // Of a remainder, at least two ranks are an argument for it.
  if (cluster.ranks.size() < 2) return std::nullopt;
  const std::uint32_t divisor = cluster.ranks[1] - cluster.ranks[0];
  if (divisor < 2) return std::nullopt;
  const ClusterRule rule{Kind::remainder, divisor, cluster.ranks[0]};
  if (cluster.ranks[0] < divisor && explains(rule, cluster, ranks)) return rule;
  return std::nullopt;
}

constexpr std::array<std::string_view, 3> place_names = {"first", "middle", "last"};

ClusterRule boundary_rule(std::vector<std::uint32_t> grid, std::uint32_t ends) {
  return {ClusterRule::Kind::boundary, 1, ends, std::move(grid)};
}

ClusterRule position_rule(std::vector<std::uint32_t> grid, std::vector<GridPlace> places) {
  return {ClusterRule::Kind::position, 1, 0, std::move(grid), std::move(places)};
}

// The grid of P ranks with the dimensions and the order of this one.
std::vector<std::uint32_t> grid_like(const std::vector<std::uint32_t>& grid, std::uint32_t ranks) {
  std::vector<std::uint32_t> balanced = balanced_grid(ranks, grid.size());
  if (grid.front() < grid.back()) std::ranges::reverse(balanced);
  return balanced;
}

// Rules for all clusters by one grid, or nothing. `rule` makes that of a cluster from its first rank.
bool set_rules_by(std::vector<RankCluster>& clusters, std::uint32_t ranks,
                  const std::function<ClusterRule(std::uint32_t rank)>& rule) {
  std::vector<ClusterRule> rules;
  for (const RankCluster& cluster : clusters) {
    rules.push_back(rule(cluster.ranks.front()));
    if (!explains(rules.back(), cluster, ranks)) return false;
  }
  for (std::size_t i = 0; i < clusters.size(); ++i) clusters[i].rule = rules[i];
  return true;
}

bool set_grid_rules(std::vector<RankCluster>& clusters, std::uint32_t ranks) {
  std::vector<std::vector<std::uint32_t>> grids;
  for (const std::size_t dimensions : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    grids.push_back(balanced_grid(ranks, dimensions));
    if (grids.back().front() == grids.back().back()) continue;
    grids.push_back(grids.back());
    std::ranges::reverse(grids.back());
  }
  for (const auto& grid : grids) {
    if (std::ranges::min(grid) < 3) continue;  // without an interior, every position is as good
    const auto rule = [&](std::uint32_t rank) { return boundary_rule(grid, ends_of(rank, grid)); };
    if (set_rules_by(clusters, ranks, rule)) return true;
  }
  for (const auto& grid : grids) {
    if (grid.size() < 2 || std::ranges::min(grid) < 2) continue;
    const auto rule = [&](std::uint32_t rank) { return position_rule(grid, position_of(rank, grid)); };
    if (set_rules_by(clusters, ranks, rule)) return true;
  }
  return false;
}

std::optional<std::uint32_t> number_of(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::vector<GridPlace>> parse_places(std::string_view text) {
  std::vector<GridPlace> places;
  for (std::size_t begin = 0;;) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto found = std::ranges::find(place_names, text.substr(begin, end - begin));
    if (found == place_names.end()) return std::nullopt;
    places.push_back(static_cast<GridPlace>(found - place_names.begin()));
    if (end == text.size()) return places;
    begin = end + 1;
  }
}

std::optional<ClusterRule> parse_grid_rule(std::string_view text) {
  const std::size_t of = text.find(" of ");
  if (of == std::string_view::npos) return std::nullopt;
  std::vector<std::uint32_t> grid;
  for (std::string_view rest = text.substr(of + 4); !rest.empty();) {
    const std::size_t end = std::min(rest.find('x'), rest.size());
    const auto size = number_of(rest.substr(0, end));
    if (!size || *size == 0) return std::nullopt;
    grid.push_back(*size);
    rest = rest.substr(std::min(end + 1, rest.size()));
  }
  if (grid.empty() || grid.size() > boundary_names.size()) return std::nullopt;
  if (auto places = parse_places(text.substr(0, of))) {
    if (places->size() != grid.size()) return std::nullopt;
    return position_rule(std::move(grid), std::move(*places));
  }
  const auto& names = boundary_names[grid.size() - 1];
  const auto found = std::ranges::find(names, text.substr(0, of));
  if (found == names.end() || found->empty()) return std::nullopt;
  return boundary_rule(std::move(grid), static_cast<std::uint32_t>(found - names.begin()));
}

}  // namespace

std::vector<std::uint32_t> balanced_grid(std::uint32_t ranks, std::size_t dimensions) {
  if (dimensions <= 1) return {ranks};
  // The factors nearest to each other: the largest smallest one, tried from the root downwards.
  auto least = static_cast<std::uint32_t>(std::pow(ranks, 1.0 / static_cast<double>(dimensions)) + 1e-9);
  while (least > 1 && ranks % least != 0) --least;
  least = std::max(least, 1u);
  std::vector<std::uint32_t> grid = balanced_grid(ranks / least, dimensions - 1);
  grid.push_back(least);
  std::ranges::sort(grid, std::ranges::greater());
  return grid;
}

std::uint32_t ends_of(std::uint32_t rank, const std::vector<std::uint32_t>& grid) {
  std::uint32_t ends = 0;
  for (std::size_t i = grid.size(); i-- > 0;) {
    const std::uint32_t at = rank % grid[i];
    ends += at == 0 || at + 1 == grid[i];
    rank /= grid[i];
  }
  return ends;
}

std::vector<GridPlace> position_of(std::uint32_t rank, const std::vector<std::uint32_t>& grid) {
  std::vector<GridPlace> places(grid.size());
  for (std::size_t i = grid.size(); i-- > 0;) {
    const std::uint32_t at = rank % grid[i];
    places[i] = at == 0 ? GridPlace::first : at + 1 == grid[i] ? GridPlace::last : GridPlace::middle;
    rank /= grid[i];
  }
  return places;
}

bool ClusterRule::contains(std::uint32_t rank, std::uint32_t ranks) const {
  switch (kind) {
    case Kind::first: return rank == 0;
    case Kind::last: return rank + 1 == ranks;
    case Kind::remainder: return rank % divisor == remainder;
    case Kind::boundary: return ends_of(rank, grid_like(grid, ranks)) == remainder;
    case Kind::position: return position_of(rank, grid_like(grid, ranks)) == places;
    case Kind::all:
    case Kind::otherwise:
    case Kind::share: return true;
  }
  return true;
}

std::string text_of(const ClusterRule& rule) {
  using Kind = ClusterRule::Kind;
  switch (rule.kind) {
    case Kind::all: return "all";
    case Kind::first: return "rank == 0";
    case Kind::last: return "rank == P-1";
    case Kind::remainder: return fmt::format("rank % {} == {}", rule.divisor, rule.remainder);
    case Kind::otherwise: return "otherwise";
    case Kind::share: return fmt::format("share {}", rule.part);
    case Kind::boundary:
    case Kind::position: break;
  }
  std::string grid, places;
  for (const std::uint32_t size : rule.grid) grid += (grid.empty() ? "" : "x") + std::to_string(size);
  for (const GridPlace each : rule.places) {
    places += (places.empty() ? "" : ",") + std::string(place_names[static_cast<std::size_t>(each)]);
  }
  if (rule.kind == Kind::boundary) places = boundary_names[rule.grid.size() - 1][rule.remainder];
  return fmt::format("{} of {}", places, grid);
}

Result<ClusterRule> parse_rule(std::string_view text) {
  using Kind = ClusterRule::Kind;
  for (const Kind kind : {Kind::all, Kind::first, Kind::last, Kind::otherwise}) {
    if (const ClusterRule rule{kind}; text_of(rule) == text) return rule;
  }
  constexpr std::string_view modulo = "rank % ", equals = " == ", share = "share ";
  if (text.starts_with(modulo)) {
    const std::size_t at = text.find(equals);
    const auto divisor = number_of(text.substr(modulo.size(), at - modulo.size()));
    const auto remainder = at == std::string_view::npos ? std::nullopt : number_of(text.substr(at + equals.size()));
    if (divisor && remainder && *remainder < *divisor) return ClusterRule{Kind::remainder, *divisor, *remainder};
  }
  if (text.starts_with(share)) {
    double part = 0;
    const std::string_view number = text.substr(share.size());
    const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), part);
    if (fault == std::errc() && end == number.data() + number.size() && part >= 0 && part <= 1) {
      return ClusterRule{Kind::share, 1, 0, {}, {}, part};
    }
  }
  if (const auto rule = parse_grid_rule(text)) return *rule;
  return Error{fmt::format("rule '{}': expected all, rank == 0, rank == P-1, rank % K == C, corner (edge, face, end or "
                           "interior) of AxB, places (first, middle, last) of AxB, otherwise, or share S",
                           text)};
}

void set_rules(std::vector<RankCluster>& clusters, std::uint32_t ranks) {
  if (clusters.size() == 1) return;  // all
  std::size_t measured = 0;
  for (const RankCluster& each : clusters) measured += each.ranks.size();
  std::vector<RankCluster*> without;
  if (!set_grid_rules(clusters, ranks)) {
    for (RankCluster& each : clusters) {
      if (const auto rule = find_simple_rule(each, ranks)) each.rule = *rule;
      else without.push_back(&each);
    }
  }
  if (without.size() == 1 && measured == ranks) {
    without.front()->rule = {ClusterRule::Kind::otherwise};
  } else if (!without.empty()) {
    for (RankCluster& each : clusters) {
      each.rule = {ClusterRule::Kind::share};
      each.rule.part = static_cast<double>(each.ranks.size()) / static_cast<double>(measured);
    }
  }
}

std::uint32_t cluster_of(const std::vector<RankCluster>& clusters, std::uint32_t rank, std::uint32_t ranks) {
  const RankCluster* otherwise = &clusters.front();
  std::size_t most_alike = 0;
  double sum = 0;
  // Multiples of the golden ratio are spread evenly, and do not depend on the number of ranks.
  const double place = std::fmod((rank + 0.5) * 0.6180339887498949, 1.0);
  for (const RankCluster& each : clusters) {
    if (each.rule.kind == ClusterRule::Kind::share) {
      sum += each.rule.part;
      if (place < sum) return each.id;
      otherwise = &each;
    } else if (each.rule.kind == ClusterRule::Kind::otherwise) {
      otherwise = &each;
    } else if (each.rule.contains(rank, ranks)) {
      return each.id;
    } else if (each.rule.kind == ClusterRule::Kind::position) {
      const std::vector<GridPlace> places = position_of(rank, grid_like(each.rule.grid, ranks));
      std::size_t alike = 1;
      for (std::size_t i = 0; i < places.size(); ++i) alike += places[i] == each.rule.places[i];
      if (alike > most_alike) otherwise = &each;
      most_alike = std::max(most_alike, alike);
    }
  }
  return otherwise->id;
}

}  // namespace rehearse::manynode
