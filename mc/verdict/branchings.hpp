// SPDX-License-Identifier: MIT
//
// The places of the program at which executions branch, each with the number of executions that another answer led to.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "mc/explore.hpp"
#include "mc/graph/graph.hpp"

namespace rehearse::mc::reduction {
class ReceivesFromExplorer;
}
namespace rehearse::mc::records {
class Writer;
class Reader;
}  // namespace rehearse::mc::records

namespace rehearse::mc::verdict {

// The place of the last deviation of the current execution. An earlier execution has the same decisions before it, and
// behind it all decisions are the first alternatives. So each execution but the first is counted at exactly one place.
std::optional<Branching> branching_of(const reduction::ReceivesFromExplorer& explorer);

class Branchings {
 public:
  static constexpr std::size_t most_reported = 10;  // places

  void add(const Branching& branching);
  std::vector<Branching> most() const;  // at most `most_reported`
  std::uint64_t all() const;            // executions at all places

  void save(records::Writer& to) const;
  void load(records::Reader& from);

 private:
  std::map<std::tuple<std::uint64_t, std::uint32_t, bool>, std::uint64_t> executions_;  // by place
};

}  // namespace rehearse::mc::verdict
