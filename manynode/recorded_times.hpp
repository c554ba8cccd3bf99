// SPDX-License-Identifier: MIT
//
// Recorded times of markers, in the order of their executions, to be repeated instead of draws.
//
// Errors: RecordedTimes::seconds() finds nothing for a marker that was not recorded.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rehearse::manynode {

class RecordedTimes {
 public:
  void add(const std::string& marker, std::uint32_t rank, double seconds) { series_[marker][rank].push_back(seconds); }
  bool has(const std::string& marker) const { return series_.contains(marker); }
  // Of a rank that was not recorded: those of another one, by its number modulo the recorded ones. Behind the last
  // time, the first one follows.
  std::optional<double> seconds(const std::string& marker, std::uint32_t rank, std::uint32_t occurrence) const {
    const auto found = series_.find(marker);
    if (found == series_.end()) return std::nullopt;
    auto by_rank = found->second.find(rank);
    if (by_rank == found->second.end())
      by_rank = std::next(found->second.begin(), static_cast<std::ptrdiff_t>(rank % found->second.size()));
    return by_rank->second[occurrence % by_rank->second.size()];
  }

 private:
  std::map<std::string, std::map<std::uint32_t, std::vector<double>>> series_;  // by marker and rank
};

}  // namespace rehearse::manynode
