// SPDX-License-Identifier: MIT
//
// Hashes of histories, and the cost of each.
#include "simcore/application_record.hpp"

#include <cstring>

#include "simcore/support/assert.hpp"

namespace rehearse {
namespace {

// Among ten million histories, two have the same hash with probability 3e-6; then one gets a wrong time.
std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  const unsigned __int128 product = static_cast<unsigned __int128>(hash ^ value) * 0x9e3779b97f4a7c15 + value;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t mix(std::uint64_t hash, std::span<const std::byte> data) {
  hash = mix(hash, data.size());
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) <= data.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, data.data() + at, sizeof word);
    hash = mix(hash, word);
  }
  std::uint64_t rest = 0;
  if (at < data.size()) std::memcpy(&rest, data.data() + at, data.size() - at);
  return mix(hash, rest);
}

std::uint64_t mix(std::uint64_t hash, std::span<const std::span<const std::byte>> parts) {
  hash = mix(hash, parts.size());
  for (const auto& part : parts) hash = mix(hash, part);
  return hash;
}

std::uint64_t mix(std::uint64_t hash, const Completion& completion) {
  hash = mix(mix(hash, completion.index), completion.source.value);
  hash = mix(hash, static_cast<std::uint64_t>(static_cast<std::int64_t>(completion.tag)));
  return mix(mix(hash, completion.data), completion.contributions);
}

}  // namespace

void ApplicationRecord::begin(std::uint32_t actors) {
  histories_.resize(actors);
  for (std::uint32_t actor = 0; actor < actors; ++actor) histories_[actor] = mix(0x243f6a8885a308d3, actor + 1);
}

void ApplicationRecord::on_answer(ActorId actor, const Observation& answer) {
  REHEARSE_ASSERT(actor.value < histories_.size(), "an actor of another program");
  std::uint64_t hash = mix(histories_[actor.value], answer.flag);
  hash = mix(hash, static_cast<std::uint64_t>(answer.now.picoseconds));
  hash = mix(hash, answer.completions.size());
  for (const Completion& completion : answer.completions) hash = mix(hash, completion);
  histories_[actor.value] = mix(hash, answer.contributions);
}

double ApplicationRecord::took(ActorId actor, double measured) {
  const std::uint64_t history = histories_[actor.value];
  if (known_.size() < most_) return known_.try_emplace(history, measured).first->second;
  const auto known = known_.find(history);
  return known == known_.end() ? measured : known->second;
}

}  // namespace rehearse
