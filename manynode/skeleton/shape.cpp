// SPDX-License-Identifier: MIT
//
// Names of collectives and shapes of neighbourhoods in skeletons.
#include <algorithm>
#include <charconv>
#include <utility>

#include "manynode/skeleton.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::manynode {
namespace {

constexpr std::pair<std::string_view, CollectiveKind> known_collectives[] = {
    {"barrier", CollectiveKind::barrier},
    {"bcast", CollectiveKind::broadcast},
    {"reduce", CollectiveKind::reduce},
    {"allreduce", CollectiveKind::allreduce},
    {"gather", CollectiveKind::gather},
    {"gatherv", CollectiveKind::gatherv},
    {"scatter", CollectiveKind::scatter},
    {"scatterv", CollectiveKind::scatterv},
    {"allgather", CollectiveKind::allgather},
    {"allgatherv", CollectiveKind::allgatherv},
    {"alltoall", CollectiveKind::alltoall},
    {"alltoallv", CollectiveKind::alltoallv},
    {"scan", CollectiveKind::scan},
    {"exscan", CollectiveKind::exscan},
    {"reduce_scatter", CollectiveKind::reduce_scatter},
    {"reduce_scatter_block", CollectiveKind::reduce_scatter_block},
};

constexpr const char* accepted_neighbours = "accepted: ring, torus:AxBxC, grid:AxBxC, torus:2d, grid:3d";
constexpr std::uint32_t dimensions_max = 6;

std::optional<std::uint32_t> number_in(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) return std::nullopt;
  return number;
}

}  // namespace

std::optional<CollectiveKind> find_collective(std::string_view name) {
  for (const auto& [known, kind] : known_collectives)
    if (known == name) return kind;
  return std::nullopt;
}

std::string_view name_of(CollectiveKind kind) {
  for (const auto& [name, known] : known_collectives)
    if (known == kind) return name;
  return "collective";
}

std::string collective_names() {
  std::string names;
  for (const auto& [name, kind] : known_collectives) names += (names.empty() ? "" : ", ") + std::string(name);
  return names;
}

Result<NeighbourStep> parse_neighbours(std::string_view text) {
  NeighbourStep step;
  step.text = text;
  if (text == "ring") return step;
  const auto fault = [&] { return Error{fmt::format("neighbours '{}'; {}", text, accepted_neighbours)}; };
  const std::size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  if (colon == std::string_view::npos || (kind != "torus" && kind != "grid")) return fault();
  step.is_periodic = kind == "torus";
  std::string_view rest = text.substr(colon + 1);
  if (rest.size() >= 2 && rest.back() == 'd') {
    const auto dimensions = number_in(rest.substr(0, rest.size() - 1));
    if (!dimensions || *dimensions > dimensions_max) return fault();
    step.dimensions = *dimensions;
    return step;
  }
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('x'), rest.size());
    const auto size = number_in(rest.substr(0, end));
    if (!size) return fault();
    step.sizes.push_back(*size);
    if (end + 1 == rest.size()) return fault();
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (step.sizes.empty() || step.sizes.size() > dimensions_max) return fault();
  step.dimensions = static_cast<std::uint32_t>(step.sizes.size());
  return step;
}

// The largest prime factors first, each to the smallest size so far.
std::vector<std::uint32_t> balanced_factors(std::uint32_t ranks, std::uint32_t dimensions) {
  std::vector<std::uint32_t> primes;
  for (std::uint32_t p = 2; std::uint64_t{p} * p <= ranks; ++p)
    for (; ranks % p == 0; ranks /= p) primes.push_back(p);
  if (ranks > 1) primes.push_back(ranks);
  std::vector<std::uint32_t> sizes(dimensions, 1);
  for (std::size_t i = primes.size(); i-- > 0;) *std::min_element(sizes.begin(), sizes.end()) *= primes[i];
  std::sort(sizes.rbegin(), sizes.rend());
  return sizes;
}

}  // namespace rehearse::manynode
