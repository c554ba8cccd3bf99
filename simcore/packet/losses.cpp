// SPDX-License-Identifier: MIT
//
// See losses.hpp.
#include "simcore/packet/losses.hpp"

#include "simcore/support/random.hpp"

namespace rehearse::packet {

void PairLosses::add(HostId source, HostId destination, const LossRule& rule) {
  pairs_[{source, destination}].rules.push_back(rule);
}

void PairLosses::open(std::uint32_t end, HostId source, HostId destination) {
  if (end >= paths_.size()) paths_.resize(end + 1);
  paths_[end] = {};
  const auto found = pairs_.find({source, destination});
  if (found == pairs_.end()) return;
  SplitMix seed(seed_);
  SplitMix pair(~seed.next() ^ (std::uint64_t{source.value} << 32 | destination.value));
  paths_[end] = {&found->second, SplitMix(pair.next() + found->second.paths++).next(), 0};
}

bool PairLosses::is_lost(std::uint32_t end, std::uint32_t bytes, Picoseconds start) {
  if (end >= paths_.size() || paths_[end].pair == nullptr) return false;
  Path& path = paths_[end];
  return SplitMix(path.draw + path.packets++).uniform() >= kept_share(path.pair->rules, bytes, start);
}

}  // namespace rehearse::packet
