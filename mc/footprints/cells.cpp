// SPDX-License-Identifier: MIT
//
// From bytes to words.
#include "mc/footprints/cells.hpp"

#include <algorithm>

namespace rehearse::mc::footprints {

namespace {

constexpr std::uint8_t all_bytes = 0xff, low_bytes = 0x0f, high_bytes = 0xf0;
constexpr unsigned half_bits = 32;

Word low_half(std::uint64_t address) { return address | half_word; }
Word high_half(std::uint64_t address) { return (address + 4) | half_word; }

// Calls visit(word, value, bytes of the word) for the words that have some of these bytes.
template <class Visit>
void for_each_half(std::uint64_t address, std::uint8_t bytes, std::uint64_t value, Visit&& visit) {
  if ((bytes & low_bytes) != 0) visit(low_half(address), value & 0xffffffff, (bytes & low_bytes) == low_bytes);
  if ((bytes & high_bytes) != 0) visit(high_half(address), value >> half_bits, (bytes & high_bytes) == high_bytes);
}

}  // namespace

Footprint::Word Cells::part_of(Word word, Value value) {
  if ((word & half_word) == 0) return {address_of(word), all_bytes, value, 0};
  const bool is_high = (word & 4) != 0;
  return {address_of(word), is_high ? high_bytes : low_bytes, is_high ? value << half_bits : value, 0};
}

Value Cells::value_in(Word word, std::uint64_t eight_bytes) {
  if ((word & half_word) == 0) return eight_bytes;
  return (word & 4) != 0 ? eight_bytes >> half_bits : eight_bytes & 0xffffffff;
}

Cells::Kind Cells::kind_at(std::uint64_t address) const {
  const auto found = kinds_.find(address / 8 * 8);
  return found == kinds_.end() ? Kind::halves : found->second;
}

bool Cells::learn(const Footprint& footprint) {
  bool changes = false;
  for (const Footprint::Sum& sum : footprint.sums)
    if (sum.size == 8 && sum.address % 8 == 0)
      changes = kinds_.emplace(sum.address, sum.is_double ? Kind::real : Kind::integer).second || changes;
  for (const Footprint::Sum& move : footprint.moves) {
    if (move.size != 8) continue;
    const bool adds = move.amount != 0 || move.additions != 0;
    const Kind there = kind_at(move.from);
    const Kind kind = adds                    ? (move.is_double ? Kind::real : Kind::integer)
                      : there == Kind::halves ? kind_at(move.address)
                                              : there;
    if (kind == Kind::halves) continue;
    for (const std::uint64_t address : {move.from, move.address})
      changes = kinds_.emplace(address, kind).second || changes;
  }
  return changes;
}

void Cells::add_read(std::uint64_t address, std::uint8_t bytes, std::uint64_t value, Effect& effect) const {
  switch (kind_at(address)) {
    case Kind::halves:
      for_each_half(address, bytes, value, [&](Word word, Value half, bool) { effect.reads[word] = half; });
      return;
    case Kind::integer: effect.reads[address] = value; return;
    case Kind::real: effect.reads[address | real_word] = value; return;
  }
}

// A word of which a part is written keeps the other part, so it is read.
void Cells::add_write(const Footprint::Word& write, Effect& effect) const {
  if (kind_at(write.address) == Kind::halves) {
    for_each_half(write.address, write.bytes, write.value, [&](Word word, Value half, bool is_whole) {
      effect.writes[word] = half;
      if (!is_whole) effect.reads[word] = value_in(word, write.before);
    });
    return;
  }
  const Word word = kind_at(write.address) == Kind::real ? write.address | real_word : write.address;
  effect.writes[word] = write.value;
  if (write.bytes != all_bytes) effect.reads[word] = write.before;
}

void Cells::add_sum(const Footprint::Sum& sum, Effect& effect) const {
  if (sum.address % sum.size != 0) throw NoProof{"sums at addresses that are not aligned"};
  const std::uint64_t address = sum.address / 8 * 8;
  const Kind kind = kind_at(address);
  Word word = address;
  if (kind == Kind::real) word |= real_word;
  if (kind == Kind::halves) word = sum.address | half_word;
  const bool fits = sum.size == 4   ? kind == Kind::halves && !sum.is_double
                    : sum.is_double ? kind == Kind::real
                                    : kind == Kind::integer;
  if (!fits || effect.reads.contains(word)) {
    const std::uint8_t bytes = sum.size == 8 ? all_bytes : (sum.address & 4) != 0 ? high_bytes : low_bytes;
    add_read(address, bytes, sum.before, effect);
    add_write({address, kind == Kind::halves ? bytes : all_bytes, sum.after, sum.before}, effect);
  } else if (sum.is_double) {
    effect.real_sums[word] = {sum.double_amount, sum.magnitude, sum.additions};
  } else {
    effect.sums[word] = static_cast<std::int64_t>(sum.amount);
  }
}

void Cells::add_move(const Footprint::Sum& move, Effect& effect) const {
  const Kind kind = kind_at(move.address);
  const bool adds = move.amount != 0 || move.additions != 0;
  const std::uint64_t to_word = move.address / 8 * 8, from_word = move.from / 8 * 8;
  std::map<Word, Move> moves;
  if (kind == Kind::halves && move.size == 4) {
    moves[move.address | half_word] = {move.from | half_word, static_cast<std::int64_t>(move.amount), {}};
  } else if (kind == Kind::halves && !adds) {
    moves[low_half(to_word)] = {low_half(from_word), 0, {}};
    moves[high_half(to_word)] = {high_half(from_word), 0, {}};
  } else if (kind == Kind::integer && move.size == 8 && !move.is_double) {
    moves[to_word] = {from_word, static_cast<std::int64_t>(move.amount), {}};
  } else if (kind == Kind::real && move.size == 8 && (move.is_double || !adds)) {
    moves[to_word | real_word] = {from_word | real_word, 0, {move.double_amount, move.magnitude, move.additions}};
  }
  const bool is_read = std::ranges::any_of(moves, [&](const auto& m) { return effect.reads.contains(m.second.from); });
  if (!moves.empty() && kind_at(move.from) == kind && !is_read) {
    effect.moves.merge(moves);
    return;
  }
  const auto bytes_at = [&](std::uint64_t address) {
    return move.size == 8 ? all_bytes : address % 8 != 0 ? high_bytes : low_bytes;
  };
  add_read(from_word, bytes_at(move.from), move.there, effect);
  add_write({to_word, kind == Kind::halves ? bytes_at(move.address) : all_bytes, move.after, move.before}, effect);
  if (kind != Kind::halves && move.size != 8) add_read(to_word, all_bytes, move.before, effect);
}

void Cells::add(const Footprint& footprint, Effect& effect) const {
  for (const Footprint::Word& read : footprint.reads) add_read(read.address, read.bytes, read.value, effect);
  for (const Footprint::Word& write : footprint.writes) add_write(write, effect);
  for (const Footprint::Sum& sum : footprint.sums) add_sum(sum, effect);
  for (const Footprint::Sum& move : footprint.moves) add_move(move, effect);
}

}  // namespace rehearse::mc::footprints
