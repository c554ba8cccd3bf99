// SPDX-License-Identifier: MIT
//
// What a delta writes back is what was there, whatever the base and whatever was written since.
#include "simcore/memory/image.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

using namespace rehearse;

namespace {

constexpr std::size_t room = 8192;

struct Random {
  explicit Random(unsigned seed) : source(seed) {}
  std::size_t below(std::size_t n) { return source() % n; }
  std::mt19937 source;
};

// Up to four ranges of the memory, ascending and apart, at odd addresses.
std::vector<ByteRange> some_pieces(std::vector<std::byte>& memory, Random& random) {
  std::vector<ByteRange> pieces;
  std::size_t at = random.below(100);
  for (std::size_t i = random.below(4) + 1; i > 0 && at < room; --i) {
    const std::size_t end = std::min(room, at + 1 + random.below(room / 3));
    pieces.push_back({memory.data() + at, memory.data() + end});
    at = end + 1 + random.below(500);
  }
  return pieces;
}

void scribble(std::vector<std::byte>& memory, Random& random) {
  for (std::size_t i = random.below(40); i > 0; --i)
    memory[random.below(room)] = static_cast<std::byte>(random.below(256));
}

}  // namespace

TEST_CASE("memory image: a delta restores its pieces and changes nothing else", "[simcore][memory]") {
  Random random(7);
  std::vector<std::byte> memory(room);
  for (int round = 0; round < 500; ++round) {
    scribble(memory, random);
    const auto base = std::make_shared<const MemoryImage>(some_pieces(memory, random));
    scribble(memory, random);
    const std::vector<ByteRange> pieces = some_pieces(memory, random);
    const MemoryDelta delta(pieces, base);
    const std::vector<std::byte> then = memory;
    for (int write = 0; write < 3; ++write) {
      scribble(memory, random);
      std::vector<std::byte> expected = memory;
      for (const ByteRange& piece : pieces)
        std::memcpy(expected.data() + (piece.begin - memory.data()), then.data() + (piece.begin - memory.data()),
                    piece.bytes());
      delta.write_back();
      REQUIRE(memory == expected);
    }
  }
}

TEST_CASE("memory image: equal data costs no memory", "[simcore][memory]") {
  std::vector<std::byte> memory(room);
  const std::vector<ByteRange> pieces = {{memory.data(), memory.data() + room}};
  const auto base = std::make_shared<const MemoryImage>(pieces);
  CHECK(MemoryDelta(pieces, base).bytes() <= 64);
  memory[4000] = std::byte{1};
  CHECK(MemoryDelta(pieces, base).bytes() <= 192);
}
