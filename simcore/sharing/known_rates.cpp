// SPDX-License-Identifier: MIT
//
// See known_rates.hpp.
#include "simcore/sharing/known_rates.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace rehearse::sharing {

// Nothing if the head is null, or of another set.
KnownRates::Solution KnownRates::solution_of(const Head* head, std::span<const Word> words, std::uint64_t hash,
                                             std::size_t flows) {
  if (head == nullptr || head->hash != hash || head->words != words.size() || head->flows != flows) return {};
  const Flow* known = flows_of(head);
  const std::byte* described = reinterpret_cast<const std::byte*>(known + flows) + flows * sizeof(Left);
  if (std::memcmp(described, words.data(), words.size_bytes()) != 0) return {};
  return {{known, flows}, head->parts};
}

KnownRates::Solution KnownRates::find(std::span<const Word> words, std::uint64_t hash, std::size_t flows) const {
  if (is_large(words.size(), flows))
    return solution_of(reinterpret_cast<const Head*>(large_.get()), words, hash, flows);
  if (sets_.empty()) return {};
  const std::size_t mask = sets_.size() - 1;
  for (std::size_t at = hash & mask; sets_[at] != 0; at = (at + 1) & mask) {
    if ((sets_[at] & ~place_mask) != tag_of(hash)) continue;
    Solution known = solution_of(head_at(sets_[at]), words, hash, flows);
    if (known.flows.empty()) continue;
    known.place = sets_[at];
    return known;
  }
  return {};
}

void KnownRates::write(std::byte* bytes, std::span<const Word> words, std::uint64_t hash, std::span<const Flow> flows,
                       std::uint32_t parts) {
  new (bytes) Head{hash, static_cast<std::uint32_t>(words.size()), parts, static_cast<std::uint32_t>(flows.size())};
  Flow* end = std::uninitialized_copy(flows.begin(), flows.end(), reinterpret_cast<Flow*>(bytes + sizeof(Head)));
  auto* left = reinterpret_cast<Left*>(end);
  std::uninitialized_fill_n(left, flows.size(), Left{});
  std::memcpy(static_cast<void*>(left + flows.size()), words.data(), words.size_bytes());
}

KnownRates::Solution KnownRates::left_by(Place set, const Ending& ending) const {
  const Left& left = left_of(head_at(set))[ending.flow];
  if (left.place == 0 || left.other != ending.other) return {};
  const Head* head = head_at(left.place);
  return {{flows_of(head), head->flows}, head->parts, left.place};
}

void KnownRates::note_left(Place set, const Ending& ending, Place left) {
  left_of(head_at(set))[ending.flow] = {left, ending.other};
}

KnownRates::Place KnownRates::keep(std::span<const Word> words, std::uint64_t hash, std::span<const Flow> flows,
                                   std::uint32_t parts) {
  const std::size_t bytes = size_of(words.size(), flows.size());
  if (is_large(words.size(), flows.size())) {
    large_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
    write(large_.get(), words, hash, flows, parts);
    return 0;
  }
  if (2 * ++used_ > sets_.size()) grow();
  const Place place = reserve(bytes);
  write(blocks_.back().get() + place % block_units * unit, words, hash, flows, parts);
  insert(place | tag_of(hash), hash);
  return place | tag_of(hash);
}

// Room in the last block, or in a new one.
KnownRates::Place KnownRates::reserve(std::size_t bytes) {
  const auto units = static_cast<std::uint32_t>((bytes + unit - 1) / unit);
  if (units > block_units - free_) {
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(block_units * unit));
    free_ = 1;  // no set has place 0
  }
  const std::uint32_t at = std::exchange(free_, free_ + units);
  return static_cast<Place>(blocks_.size() - 1) * block_units + at;
}

void KnownRates::insert(Place place, std::uint64_t hash) {
  std::size_t at = hash & (sets_.size() - 1);
  while (sets_[at] != 0) at = (at + 1) & (sets_.size() - 1);
  sets_[at] = place;
}

void KnownRates::grow() {
  std::vector<Place> old(std::max<std::size_t>(1024, 2 * sets_.size()));
  old.swap(sets_);
  for (const Place place : old)
    if (place != 0) insert(place, head_at(place)->hash);
}

void KnownRates::clear() {
  sets_.clear();
  used_ = 0;
  blocks_.clear();
  free_ = block_units;
  large_ = nullptr;
}

}  // namespace rehearse::sharing
