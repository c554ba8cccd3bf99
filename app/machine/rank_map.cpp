// SPDX-License-Identifier: MIT
//
// See rank_map.hpp.
#include "app/rank_map.hpp"

#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "simcore/support/format.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::app {
namespace {

constexpr std::string_view accepted_maps = "block, cyclic, random:SEED, or a file with lines RANK HOST";

template <class Number>
bool take_whole(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

std::vector<HostId> by_block(const Platform& platform, std::uint32_t ranks) {
  std::vector<HostId> slots;
  for (std::uint32_t host = 0; host < platform.hosts().size() && slots.size() < ranks; ++host)
    slots.insert(slots.end(), platform.host({host}).cores, HostId{host});
  std::vector<HostId> map;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) map.push_back(slots[rank % slots.size()]);
  return map;
}

std::vector<HostId> by_turns(const Platform& platform, std::uint32_t ranks) {
  std::vector<HostId> map;
  const auto hosts = static_cast<std::uint32_t>(platform.hosts().size());
  for (std::uint32_t rank = 0; rank < ranks; ++rank) map.push_back({rank % hosts});
  return map;
}

// Source: Fisher and Yates, in the form of Durstenfeld, CACM 1964.
template <class Element>
void shuffle(std::vector<Element>& elements, SplitMix& random) {
  for (std::size_t left = elements.size(); left > 1; --left)
    std::swap(elements[left - 1], elements[random.below(left)]);
}

std::vector<HostId> at_random(const Platform& platform, std::uint32_t ranks, std::uint64_t seed) {
  SplitMix random(seed);
  std::vector<HostId> hosts = by_turns(platform, static_cast<std::uint32_t>(platform.hosts().size()));
  shuffle(hosts, random);
  std::vector<HostId> map;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) map.push_back(hosts[rank % hosts.size()]);
  shuffle(map, random);
  return map;
}

Result<std::vector<HostId>> read_map(const std::string& file, const Platform& platform, std::uint32_t ranks) {
  std::ifstream in(file);
  if (!in) return Error{fmt::format("'{}' given, which is no file; accepted: {}", file, accepted_maps)};
  std::vector<std::optional<HostId>> map(ranks);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string rank_word, host_word, rest;
    if (!(words >> rank_word)) continue;
    const std::string place = fmt::format("{}:{}: ", file, number);
    std::uint32_t rank = 0;
    if (!take_whole(rank_word, rank) || !(words >> host_word) || words >> rest)
      return Error{place + "'" + line + "' given; accepted: RANK HOST"};
    if (rank >= ranks) return Error{fmt::format("{}rank {} given; accepted: 0 to {}", place, rank, ranks - 1)};
    if (map[rank]) return Error{fmt::format("{}rank {} has a host already", place, rank)};
    map[rank] = platform.find_host(host_word);
    if (!map[rank]) return Error{fmt::format("{}platform {} has no host '{}'", place, platform.name(), host_word)};
  }
  std::vector<HostId> hosts;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    if (!map[rank]) return Error{fmt::format("{}: names no host for rank {}", file, rank)};
    hosts.push_back(*map[rank]);
  }
  return hosts;
}

}  // namespace

Result<std::vector<HostId>> map_ranks(const std::string& map, const Platform& platform, std::uint32_t ranks) {
  if (map == "block") return by_block(platform, ranks);
  if (map == "cyclic") return by_turns(platform, ranks);
  constexpr std::string_view random = "random:";
  if (map.starts_with(random)) {
    std::uint64_t seed = 0;
    if (take_whole(std::string_view(map).substr(random.size()), seed)) return at_random(platform, ranks, seed);
    return Error{fmt::format("'{}' given; accepted: {}", map, accepted_maps)};
  }
  return read_map(map, platform, ranks);
}

}  // namespace rehearse::app
