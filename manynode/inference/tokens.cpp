// SPDX-License-Identifier: MIT
//
// See tokens.hpp.
#include "manynode/inference/tokens.hpp"

#include <algorithm>
#include <iterator>

namespace rehearse::manynode::inference {

Tokens::Tokens(const RecordedRuns& runs, KeyLevel level) : level_(level) {
  if (level != KeyLevel::sizes_and_tags) return;
  bool is_first = true;
  for (const RecordedRun& run : runs.runs) {
    std::map<Numbers, std::set<std::int64_t>> sizes;
    for (const std::vector<RecordedCall>& calls : run.calls)
      for (const RecordedCall& call : calls) sizes[numbers_of(call)].insert(call[Slot::bytes]);
    if (is_first) common_sizes_ = std::move(sizes);
    else
      for (auto& [key, common] : common_sizes_)
        std::erase_if(common, [&, &here = sizes[key]](std::int64_t bytes) { return !here.contains(bytes); });
    is_first = false;
  }
}

Tokens::Numbers Tokens::numbers_of(const RecordedCall& call) {
  return {static_cast<std::int64_t>(call.kind),
          call.blocking,
          call.mode,
          call.name,
          call.site,
          call.communicator,
          call.parts != 0,
          call[Slot::peer] == anyone,
          call[Slot::tag] == anyone,
          call[Slot::from] == anyone,
          call[Slot::from_tag] == anyone};
}

Tokens::Numbers Tokens::key_of(const RecordedCall& call) const {
  Numbers key = numbers_of(call);
  if (level_ != KeyLevel::calls) key.insert(key.end(), {call[Slot::tag], call[Slot::from_tag]});
  if (level_ != KeyLevel::sizes_and_tags) return key;
  const auto common = common_sizes_.find(numbers_of(call));
  const std::int64_t bytes = call[Slot::bytes];
  key.push_back(common != common_sizes_.end() && common->second.contains(bytes) ? bytes : absent);
  return key;
}

std::vector<std::vector<Token>> Tokens::of(const RecordedRun& run) {
  std::vector<std::vector<Token>> all;
  for (const std::vector<RecordedCall>& calls : run.calls) {
    std::vector<Token>& tokens = all.emplace_back();
    for (const RecordedCall& call : calls) {
      Numbers key = key_of(call);
      const std::uint32_t number = keys_.try_emplace(key, static_cast<std::uint32_t>(keys_.size())).first->second;
      key.insert(key.end(), call.values.begin(), call.values.end());
      if (call.parts != 0) {
        const std::vector<std::int64_t>& parts = run.parts[call.parts];
        key.insert(key.end(), parts.begin(), parts.end());
      }
      const auto exact = exact_.try_emplace(key, static_cast<std::uint32_t>(exact_.size())).first->second;
      std::int8_t opens = call.blocking ? 0 : 1;
      if (call.kind == CallKind::wait || call.kind == CallKind::wait_any) opens = -1;
      if (call.kind == CallKind::wait_all) opens = closes_all;
      tokens.push_back({number, exact, opens});
    }
  }
  return all;
}

}  // namespace rehearse::manynode::inference
