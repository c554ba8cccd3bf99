// SPDX-License-Identifier: MIT
//
// Nodes by their names.
#include "app/job.hpp"

#include <algorithm>
#include <map>

namespace rehearse::app {

std::uint32_t all_ranks(const Job& job) {
  return job.starts.starts_groups ? std::max(job.starts.most_ranks, job.ranks)
                                  : job.ranks + smpi::ranks_of(job.starts.groups);
}

smpi::NodeMap nodes_of(const std::vector<std::string>& names) {
  smpi::NodeMap nodes{{}, {}, {}};
  std::map<std::string, std::uint32_t> numbers;
  for (const std::string& name : names) {
    const auto [found, is_new] = numbers.try_emplace(name, static_cast<std::uint32_t>(numbers.size()));
    if (is_new) nodes.names.push_back(name);
    nodes.of_rank.push_back(found->second);
  }
  return nodes;
}

}  // namespace rehearse::app
