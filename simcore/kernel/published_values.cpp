// SPDX-License-Identifier: MIT
//
// See published_values.hpp.
#include "simcore/kernel/published_values.hpp"

#include "simcore/actor_api/exceptions.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::sim::kernel {

void PublishedValues::set(std::uint32_t pid, const std::string& name, std::int64_t value) {
  if (name.empty() || name.size() >= name_bytes)
    throw BadUse(fmt::format("publish(): a name of {} characters; accepted: 1 to {}", name.size(), name_bytes - 1));
  if (entries_.empty()) entries_.reserve(usual);
  for (Entry& entry : entries_) {
    if (entry.pid != pid || name != entry.name.data()) continue;
    entry.value = value;
    return;
  }
  Entry& entry = entries_.emplace_back();
  entry.pid = pid;
  entry.value = value;
  name.copy(entry.name.data(), name.size());
}

}  // namespace rehearse::sim::kernel
