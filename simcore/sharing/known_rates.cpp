// SPDX-License-Identifier: MIT
//
// See known_rates.hpp.
#include "simcore/sharing/known_rates.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace rehearse::sharing {

// Nothing if the head is null, or of another set.
KnownRates::Solution KnownRates::solution_of(const Head* head, std::span<const Word> words, std::uint64_t hash,
                                             std::size_t flows) {
  if (head == nullptr || head->hash != hash || head->words != words.size()) return {};
  const Flow* known = std::launder(reinterpret_cast<const Flow*>(head + 1));
  if (std::memcmp(known + flows, words.data(), words.size_bytes()) != 0) return {};
  return {{known, flows}, head->parts};
}

KnownRates::Solution KnownRates::find(std::span<const Word> words, std::uint64_t hash, std::size_t flows) const {
  if (flows > largest) return solution_of(reinterpret_cast<const Head*>(large_.get()), words, hash, flows);
  if (sets_.empty()) return {};
  for (std::size_t place = hash & (sets_.size() - 1); sets_[place] != nullptr; place = (place + 1) & (sets_.size() - 1))
    if (const Solution known = solution_of(sets_[place], words, hash, flows); !known.flows.empty()) return known;
  return {};
}

const KnownRates::Head* KnownRates::write(std::byte* bytes, std::span<const Word> words, std::uint64_t hash,
                                          std::span<const Flow> flows, std::uint32_t parts) {
  const Head* head = new (bytes) Head{hash, static_cast<std::uint32_t>(words.size()), parts};
  Flow* end = std::uninitialized_copy(flows.begin(), flows.end(), reinterpret_cast<Flow*>(bytes + sizeof(Head)));
  std::memcpy(static_cast<void*>(end), words.data(), words.size_bytes());
  return head;
}

void KnownRates::keep(std::span<const Word> words, std::uint64_t hash, std::span<const Flow> flows,
                      std::uint32_t parts) {
  const std::size_t bytes = sizeof(Head) + flows.size_bytes() + words.size_bytes();
  if (flows.size() > largest) {
    large_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
    write(large_.get(), words, hash, flows, parts);
    return;
  }
  if (2 * ++used_ > sets_.size()) grow();
  std::size_t place = hash & (sets_.size() - 1);
  while (sets_[place] != nullptr) place = (place + 1) & (sets_.size() - 1);
  sets_[place] = write(reserve(bytes), words, hash, flows, parts);
}

// Room in the last block; a set that is larger than a block gets one of its own.
std::byte* KnownRates::reserve(std::size_t bytes) {
  const std::size_t size = (bytes + alignof(Head) - 1) / alignof(Head) * alignof(Head);
  if (size > static_cast<std::size_t>(end_ - free_)) {
    const std::size_t room = std::max(size, block_bytes);
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(room));
    free_ = blocks_.back().get();
    end_ = free_ + room;
  }
  return std::exchange(free_, free_ + size);
}

void KnownRates::grow() {
  std::vector<const Head*> old(std::max<std::size_t>(1024, 2 * sets_.size()));
  old.swap(sets_);
  for (const Head* head : old) {
    if (head == nullptr) continue;
    std::size_t place = head->hash & (sets_.size() - 1);
    while (sets_[place] != nullptr) place = (place + 1) & (sets_.size() - 1);
    sets_[place] = head;
  }
}

void KnownRates::clear() {
  sets_.clear();
  used_ = 0;
  blocks_.clear();
  free_ = end_ = nullptr;
  large_ = nullptr;
}

}  // namespace rehearse::sharing
