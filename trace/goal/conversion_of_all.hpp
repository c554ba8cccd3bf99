// SPDX-License-Identifier: MIT
//
// What the conversions of the calls of all ranks have in common: tags, and the agreement of members of collectives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "trace/goal_conversion.hpp"

namespace rehearse::trace::goal {

inline constexpr std::uint64_t tags_per_communicator = 10000000, first_collective_tag = 1000000;

class ConversionOfAll {
 public:
  ConversionOfAll(const Trace& trace, const GoalConversion& options) : trace_(trace), options_(options) {}

  const Trace& trace() const { return trace_; }
  const GoalConversion& options() const { return options_; }

  // The tags of the communicator are from here on.
  std::uint64_t first_tag(std::uint32_t communicator) {
    if (communicator != last_) {
      last_ = communicator;
      last_tag_ = bases_.try_emplace(communicator, bases_.size()).first->second * tags_per_communicator;
    }
    return last_tag_;
  }

  // A rank calls the collective with this tag. All members call the same one with the same root; otherwise this returns
  // what another one has called.
  std::string agree(const CollectiveAction& action, std::uint32_t tag, std::size_t members, std::uint32_t rank,
                    const ActionReader& reader) {
    const auto [found, is_first] = callers_.try_emplace(tag);
    Caller& first = found->second;
    if (is_first) first = {action.name, action.root, rank, reader.place()};
    if (first.name != action.name || first.root != action.root)
      return "another collective or root than rank " + std::to_string(first.rank) + " at " + first.place + " (" +
             std::string(first.name) + ", root " + std::to_string(first.root) + ")";
    if (++first.calls == members) callers_.erase(found);
    return {};
  }

 private:
  struct Caller {
    std::string_view name;
    std::uint32_t root = 0;
    std::uint32_t rank = 0;
    std::string place;
    std::size_t calls = 0;
  };

  const Trace& trace_;
  const GoalConversion& options_;
  std::map<std::uint32_t, std::uint64_t> bases_;  // communicators in the order of use
  std::uint32_t last_ = ~0u;                      // the communicator that was used last
  std::uint64_t last_tag_ = 0;                    // its first tag
  std::map<std::uint32_t, Caller> callers_;       // by tag, until all members have called
};

}  // namespace rehearse::trace::goal
