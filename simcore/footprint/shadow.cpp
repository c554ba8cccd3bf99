// SPDX-License-Identifier: MIT
//
// A hash table of touched words, and the sums.
#include "simcore/footprint/shadow.hpp"

#include <algorithm>

namespace rehearse::footprint {

namespace {

constexpr std::size_t first_word_slots = 1 << 13;

std::size_t slot_of_word(std::uint64_t word, std::size_t capacity) {
  return (word * 0x9e3779b97f4a7c15 >> 20) & (capacity - 1);
}

}  // namespace

Shadow::Shadow(const Machine& machine) : machine_(machine) { table_.resize(first_word_slots); }

void Shadow::begin(const Range& watched, const Range& scratch) {
  watched_ = watched;
  scratch_ = scratch;
  forget_code();
  general_ = {};
  vectors_ = {};
  flag_count_ = 0;
  words_.clear();
  std::ranges::fill(table_, 0);
  sums_.clear();
}

const Shadow::Word* Shadow::find(std::uint64_t address) const {
  const std::uint64_t number = address / 8;
  for (std::size_t slot = slot_of_word(number, table_.size()); table_[slot] != 0;
       slot = (slot + 1) & (table_.size() - 1))
    if (words_[table_[slot] - 1].address == number * 8) return &words_[table_[slot] - 1];
  return nullptr;
}

Shadow::Word& Shadow::word(std::uint64_t address) {
  if (const Word* found = find(address)) return const_cast<Word&>(*found);
  Word& made = words_.emplace_back();
  made.address = address / 8 * 8;
  machine_.peek(made.address, made.initial);
  for (std::uint64_t i = 0; i < 8; ++i) made.origins[i] = watches(made.address + i) ? made.address + i : known;
  if (words_.size() * 2 > table_.size()) {
    grow();
  } else {
    std::size_t slot = slot_of_word(address / 8, table_.size());
    while (table_[slot] != 0) slot = (slot + 1) & (table_.size() - 1);
    table_[slot] = static_cast<std::uint32_t>(words_.size());
  }
  return made;
}

void Shadow::grow() {
  table_.assign(table_.size() * 2, 0);
  for (std::uint32_t i = 0; i < words_.size(); ++i) {
    std::size_t slot = slot_of_word(words_[i].address / 8, table_.size());
    while (table_[slot] != 0) slot = (slot + 1) & (table_.size() - 1);
    table_[slot] = i + 1;
  }
}

void Shadow::read(Origin origin) {
  if (origin == known) return;
  if (!is_of_sum(origin)) {
    word(origin).read |= static_cast<std::uint8_t>(1u << origin % 8);
    return;
  }
  const SumOrigin& sum = sum_of(origin);
  for (std::uint64_t i = 0; i < sum.bytes; ++i) read(sum.at + i);
}

bool Shadow::is_known(std::span<const Origin> origins) const {
  const auto is_read = [this](std::uint64_t at) {
    const Word* word = find(at);
    return word != nullptr && (word->read >> at % 8 & 1) != 0;
  };
  return std::ranges::all_of(origins, [&](Origin origin) {
    if (origin == known) return true;
    if (!is_of_sum(origin)) return is_read(origin);
    const SumOrigin& sum = sum_of(origin);
    for (std::uint64_t i = 0; i < sum.bytes; ++i)
      if (!is_read(sum.at + i)) return false;
    return true;
  });
}

void Shadow::prepare(std::uint64_t address, std::size_t bytes) {
  if (bytes == 0) return;
  for (std::uint64_t at = address / 8 * 8; at < address + bytes; at += 8)
    if (follows(at) || follows(at + 7)) word(at);
}

void Shadow::load(std::uint64_t address, std::span<Origin> into) const {
  const Word* word = nullptr;
  for (std::size_t i = 0; i < into.size(); ++i) {
    const std::uint64_t at = address + i;
    if (i == 0 || at % 8 == 0) word = follows(at) ? find(at) : nullptr;
    if (word != nullptr) into[i] = word->origins[at % 8];
    else into[i] = watches(at) ? at : known;
  }
}

void Shadow::forget_code() {
  code_ = {~std::uint64_t{0}, 0};
  ++code_number_;
}

void Shadow::store(std::uint64_t address, std::span<const Origin> origins) {
  if (address < code_.end && address + origins.size() > code_.begin) forget_code();
  Word* word = nullptr;
  for (std::size_t i = 0; i < origins.size(); ++i) {
    const std::uint64_t at = address + i;
    if (i == 0 || at % 8 == 0) word = follows(at) ? &this->word(at) : nullptr;
    if (word == nullptr) {
      read(origins[i]);  // others can see it
      continue;
    }
    word->origins[at % 8] = origins[i];
    word->stored |= static_cast<std::uint8_t>(1u << at % 8);
  }
}

void Shadow::store_known(std::uint64_t address, std::size_t bytes) {
  constexpr std::array<Origin, 64> none = {};
  while (bytes > 0) {
    const std::size_t part = std::min(bytes, none.size());
    store(address, std::span(none).first(part));
    address += part;
    bytes -= part;
  }
}

bool Shadow::is_sum(std::span<const Origin> origins, bool is_double, SumOrigin& sum) const {
  const Origin first = origins.front();
  if (first == known) return false;
  for (std::size_t i = 1; i < origins.size(); ++i)
    if (origins[i] != first + i) return false;
  if (!is_of_sum(first)) {
    sum = {first, static_cast<std::uint8_t>(origins.size()), is_double, 0, 0, 0, 0};
    return true;
  }
  const SumOrigin& found = sum_of(first);
  if (part_of_sum(first) != 0 || found.bytes != origins.size() || found.is_double != is_double) return false;
  sum = found;
  return true;
}

void Shadow::make_sum(const SumOrigin& sum, std::span<Origin> into) {
  const Origin first = sum_bit | static_cast<Origin>(sums_.size()) << 8;
  sums_.push_back(sum);
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = i < sum.bytes ? first + i : known;
}

void Shadow::set_flags(std::span<const Origin> origins, bool replaces) {
  if (replaces) flag_count_ = 0;
  for (const Origin origin : origins) {
    if (origin == known) continue;
    if (flag_count_ == flags_.size()) read(origin);
    else flags_[flag_count_++] = origin;
  }
}

void Shadow::read_flags() {
  read(std::span(flags_).first(flag_count_));
  flag_count_ = 0;
}

}  // namespace rehearse::footprint
