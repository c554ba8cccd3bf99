// SPDX-License-Identifier: MIT
//
// Blocks of recordings: what is written is read, loops fold, and damage is noticed.
#include "trace/rtrace/block.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "trace/rtrace/compression.hpp"
#include "trace/rtrace/folding.hpp"

namespace rehearse::trace::rtrace {
namespace {

bool are_same(const Event& one, const Event& other) {
  const bool same_took = one.took.state == other.took.state && one.took.source == other.took.source &&
                         one.took.tag == other.took.tag;
  return one.kind == other.kind && one.flags == other.flags && one.site == other.site && one.numbers == other.numbers &&
         (!has_volume(one.kind) || one.volume == other.volume) && (!is_wildcard(one.kind, one.flags) || same_took);
}

// Kinds, flags and lists of any length.
std::vector<Event> random_events(unsigned seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::vector<Event> events(count);
  for (Event& event : events) {
    event.kind = static_cast<EventKind>(random() % event_kinds);
    event.flags = static_cast<std::uint32_t>(random() % 4 == 0 ? random() % (flag::all + 1) : 0);
    event.site = static_cast<std::uint32_t>(random() % 5);
    event.numbers.resize(random() % (random() % 8 == 0 ? 200 : 6));
    for (std::int64_t& number : event.numbers)
      number = static_cast<std::int64_t>(random() % 3 == 0 ? random() : random() % 4);
    if (has_volume(event.kind)) event.volume = static_cast<std::int64_t>(random());
    if (!is_wildcard(event.kind, event.flags)) continue;
    event.took.state = static_cast<Took::State>(random() % 3);
    if (event.took.state == Took::State::message) {
      event.took.source = static_cast<std::uint32_t>(random() % 100);
      event.took.tag = static_cast<Tag>(random() % 100) - 50;
    }
  }
  return events;
}

Bytes written(const std::vector<Event>& events) {
  BlockWriter writer;
  for (const Event& event : events) writer.append(event);
  Bytes bytes;
  writer.finish(bytes);
  return bytes;
}

}  // namespace

TEST_CASE("rtrace: a block gives back what was written", "[trace]") {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const std::vector<Event> events = random_events(seed, 1 + seed * 40);
    BlockReader reader;
    REQUIRE(reader.load(written(events), static_cast<std::uint32_t>(events.size())) == nullptr);
    Event event;
    for (const Event& expected : events) {
      REQUIRE_FALSE(reader.is_at_end());
      REQUIRE(reader.next(event) == nullptr);
      REQUIRE(are_same(event, expected));
    }
    REQUIRE(reader.is_at_end());
  }
}

// Calls that name a few partners, in turns and at random, with computations between them.
TEST_CASE("rtrace: actions that are skipped are those that would be read", "[trace]") {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937_64 random(seed);
    const std::int64_t partners = 1 + static_cast<std::int64_t>(random() % 12);
    std::vector<Event> events(2000);
    for (std::size_t i = 0; i < events.size(); ++i) {
      Event& event = events[i];
      event.kind = i % 3 == 0 ? EventKind::send : i % 3 == 1 ? EventKind::receive : EventKind::compute;
      event.site = static_cast<std::uint32_t>(seed % 2 * (random() % 2));
      event.volume = static_cast<std::int64_t>(random() % 100);
      const auto turn = static_cast<std::int64_t>(random() % 8 == 0 ? random() : i / 3);
      if (event.kind != EventKind::compute) event.numbers = {0, (turn & 0xffff) % partners, 7, 1000};
    }
    BlockReader reader;
    REQUIRE(reader.load(written(events), static_cast<std::uint32_t>(events.size())) == nullptr);
    std::size_t skipped = 0;
    for (const Event& expected : events) {
      Event event;
      const std::uint32_t state = reader.next_state();
      if (state == BlockReader::none || random() % 16 == 0) {
        REQUIRE(reader.next(event) == nullptr);
      } else {
        REQUIRE(reader.skip() == nullptr);
        reader.repeat(event);
        CHECK(reader.last_state() == state);
        ++skipped;
      }
      REQUIRE(are_same(event, expected));
    }
    CHECK(skipped > 600);
  }
}

TEST_CASE("rtrace: a loop takes no more bytes the longer it is", "[trace]") {
  std::vector<Event> events(60000);
  for (std::size_t i = 0; i < events.size(); ++i) {
    events[i].kind = i % 3 == 0 ? EventKind::send : i % 3 == 1 ? EventKind::receive : EventKind::observe;
    events[i].numbers = {0, 1, 7, 1000};
  }
  REQUIRE(written(events).size() < 100);
}

TEST_CASE("rtrace: a damaged block is refused, or read as something else, but never outside of it", "[trace]") {
  const std::vector<Event> events = random_events(1, 500);
  const Bytes whole = written(events);
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    Bytes damaged = whole;
    for (unsigned left = 1 + random() % 3; left > 0; --left)
      damaged[random() % damaged.size()] ^= static_cast<std::uint8_t>(1 << random() % 8);
    if (random() % 4 == 0) damaged.resize(random() % damaged.size());
    BlockReader reader;
    if (reader.load(damaged, static_cast<std::uint32_t>(events.size())) != nullptr) continue;
    Event event;
    while (!reader.is_at_end() && reader.next(event) == nullptr) {
    }
  }
  SUCCEED();
}

TEST_CASE("rtrace: folding is undone", "[trace]") {
  std::mt19937 random(2);
  for (int i = 0; i < 200; ++i) {
    std::vector<std::uint16_t> rows(random() % 3000);
    for (std::size_t at = 0; at < rows.size(); ++at)
      rows[at] = static_cast<std::uint16_t>(at > 20 && random() % 50 != 0 ? rows[at - 1 - i % 20] : random() % 65536);
    Bytes folded;
    fold(rows, folded);
    Unfolder unfolder;
    REQUIRE_FALSE(unfolder.load(folded, rows.size() + 1, 65536));
    REQUIRE(unfolder.load(folded, rows.size(), 65536));
    std::vector<std::uint16_t> read;
    while (!unfolder.is_at_end()) {
      read.push_back(unfolder.peek());
      REQUIRE(unfolder.take() == read.back());
    }
    REQUIRE(read == rows);
    if (!rows.empty()) REQUIRE_FALSE(unfolder.load(folded, rows.size(), *std::ranges::max_element(rows)));
  }
}

TEST_CASE("rtrace: compressed bytes have the length that is said, or none", "[trace]") {
  const Bytes bytes(1000, 7);
  Bytes packed;
  compress(bytes, packed);
  Decompressor in;
  REQUIRE(in.decompress(packed, bytes.size()) == bytes);
  REQUIRE_FALSE(in.decompress(packed, 999));
  REQUIRE_FALSE(in.decompress(bytes, 1000));
}

}  // namespace rehearse::trace::rtrace
