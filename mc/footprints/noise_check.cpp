// SPDX-License-Identifier: MIT
//
// A step runs again, without the tracer and with noise in the words that it has not read.
#include <algorithm>
#include <bit>

#include "mc/footprints/traced_run.hpp"

namespace rehearse::mc::footprints {

namespace {

constexpr const char* differs = "a step that depends on memory that it seems not to read";

}  // namespace

// Sets words that some step has changed and this one has not read. Their values, and those of all others that change.
std::map<std::uint64_t, std::uint64_t> TracedMachine::make_noise(std::uint32_t number, const Record& record) {
  Actor& actor = actors_[number];
  std::map<std::uint64_t, std::uint8_t> read;
  for (const Footprint::Word& word : record.footprint.reads) read[word.address] |= word.bytes;
  std::map<std::uint64_t, std::uint64_t> before;
  std::vector<Footprint::Word> noise;
  for (const Word word : actor.varying) {
    if (is_own(word)) continue;
    const std::uint64_t address = Cells::address_of(word);
    Footprint::Word part = Cells::part_of(word, 0);
    const auto found = read.find(address);
    part.bytes &= static_cast<std::uint8_t>(~(found == read.end() ? 0 : found->second));
    part.value = random_();
    const auto is_added_to = [&](const Footprint::Sum& sum) { return sum.is_double && sum.from == address; };
    if (std::ranges::any_of(record.footprint.sums, is_added_to) ||
        std::ranges::any_of(record.footprint.moves, is_added_to))
      part.value = std::bit_cast<std::uint64_t>(static_cast<double>(random_() % 1000) / 8 + 1);
    if (!footprints_.is_dead({number}, address)) noise.push_back(part);
  }
  footprints_.poke({number}, noise);
  const auto look = [&](std::uint64_t address) { before[address] = footprints_.peek({number}, address); };
  for (const Word word : actor.varying)
    if (!is_own(word)) look(Cells::address_of(word));
  for (const Footprint::Word& write : record.footprint.writes) look(write.address);
  for (const Footprint::Sum& sum : record.footprint.sums) look(sum.address / 8 * 8);
  for (const Footprint::Sum& move : record.footprint.moves) {
    look(move.address / 8 * 8);
    look(move.from / 8 * 8);
  }
  return before;
}

void TracedMachine::compare_memory(std::uint32_t number, const std::map<std::uint64_t, std::uint64_t>& before,
                                   const Record& record) const {
  std::map<std::uint64_t, std::uint64_t> expected = before;
  const auto set = [&](std::uint64_t address, std::uint8_t bytes, std::uint64_t value) {
    std::uint64_t& word = expected[address];
    for (std::uint64_t i = 0; i < 8; ++i)
      if ((bytes >> i & 1) != 0)
        word = (word & ~(std::uint64_t{0xff} << 8 * i)) | (value & std::uint64_t{0xff} << 8 * i);
  };
  const auto has_several_roundings = [](const Footprint::Sum& sum) { return sum.additions > 1; };
  for (const std::vector<Footprint::Sum>& sums : {record.footprint.sums, record.footprint.moves}) {
    if (std::ranges::any_of(sums, has_several_roundings)) return;  // whose order is not known
    for (const Footprint::Sum& sum : sums) {
      const std::uint64_t address = sum.address / 8 * 8, there = before.at(sum.from / 8 * 8);
      if (sum.additions == 1) {
        set(address, 0xff, std::bit_cast<std::uint64_t>(std::bit_cast<double>(there) + sum.double_amount));
      } else if (sum.size == 8) {
        set(address, 0xff, there + sum.amount);
      } else {
        const std::uint64_t half = (((sum.from & 4) != 0 ? there >> 32 : there) + sum.amount) & 0xffffffff;
        const bool is_high = (sum.address & 4) != 0;
        set(address, is_high ? 0xf0 : 0x0f, is_high ? half << 32 : half);
      }
    }
  }
  for (const Footprint::Word& write : record.footprint.writes) set(write.address, write.bytes, write.value);
  for (const auto& [address, value] : expected) {
    if (footprints_.is_dead({number}, address)) continue;
    if (footprints_.peek({number}, address) != value) throw NoProof{differs};
  }
}

void TracedMachine::check_with_noise(std::uint32_t number, const Position& position, const Arrived* message,
                                     const Known& known, const Record& record) {
  ++repeated_steps_;
  set_state(number, position, known);
  const std::map<std::uint64_t, std::uint64_t> before = make_noise(number, record);
  Run now;
  now.actor = number;
  now.known = &known;
  run(now, position, message);
  if (now.effect.sends != record.own.sends || now.effect.next != record.own.next ||
      now.effect.trouble != record.own.trouble || now.effect.gap != record.own.gap)
    throw NoProof{differs};
  if (record.own.next.kind == Place::Kind::receives || record.own.next.kind == Place::Kind::sends)
    compare_memory(number, before, record);
}

}  // namespace rehearse::mc::footprints
