// SPDX-License-Identifier: MIT
//
// Where buffers lie in memory, against lists of all their bytes.
#include "smpi/buffers/footprint.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "smpi/datatype/construct.hpp"
#include "smpi/datatype/table.hpp"

namespace rehearse::smpi {
namespace {

using Random = std::mt19937;

std::int64_t between(Random& random, std::int64_t least, std::int64_t most) {
  return std::uniform_int_distribution<std::int64_t>(least, most)(random);
}

DatatypeHolder committed(DatatypeHolder type) {
  type->commit();
  return type;
}

// A type of up to `depth` levels over bytes.
DatatypeHolder any_type(Random& random, int depth) {
  const DatatypeHolder inner = depth == 0 ? make_contiguous(between(random, 1, 3), *find_datatype(MPI_BYTE), {})
                                          : any_type(random, depth - 1);
  switch (between(random, 0, 3)) {
    case 0:
      return committed(
          make_hvector({between(random, 1, 4), between(random, 1, 2), between(random, -9, 17)}, *inner, {}));
    case 1: return committed(make_vector({between(random, 1, 4), 1, between(random, 1, 4)}, *inner, {}));
    case 2: return committed(make_resized(*inner, 0, between(random, 1, 19), {}));
    default: {
      std::vector<Block> blocks;
      for (int i = 0; i < 3; ++i) blocks.push_back({between(random, 0, 2), between(random, -20, 40), inner.get()});
      return committed(make_hindexed(blocks, {}));
    }
  }
}

void add_bytes(std::span<const Run> runs, std::int64_t at, std::map<std::int64_t, int>& bytes) {
  for (std::size_t i = 0; i < runs.size(); i += 1 + runs[i].body)
    for (std::int64_t k = 0; k < runs[i].count; ++k) {
      const std::int64_t begin = at + runs[i].offset + k * runs[i].stride;
      if (runs[i].body > 0) add_bytes(runs.subspan(i + 1, runs[i].body), begin, bytes);
      for (std::int64_t b = 0; runs[i].body == 0 && b < runs[i].bytes; ++b) ++bytes[begin + b];
    }
}

std::map<std::int64_t, int> bytes_of(const Blocks& blocks) {
  std::map<std::int64_t, int> bytes;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (MPI_Count k = 0; k < blocks[i].count; ++k)
      add_bytes(blocks[i].type->layout(),
                reinterpret_cast<std::intptr_t>(blocks[i].address) + k * blocks[i].type->extent(), bytes);
  return bytes;
}

Blocks any_blocks(Random& random) {
  const auto buffer = [&] {
    const DatatypeHolder type = any_type(random, static_cast<int>(between(random, 0, 2)));
    void* address = reinterpret_cast<void*>(between(random, 10000, 10060));
    return Buffer{address, between(random, 0, 4), DatatypeRef(type.get())};
  };
  if (between(random, 0, 1) == 0) return Blocks::equal(buffer(), static_cast<int>(between(random, 1, 3)));
  return Blocks({buffer(), buffer()});
}

Blocks vector_at(std::int64_t address, VectorShape shape) {
  const DatatypeHolder type = committed(make_hvector(shape, *find_datatype(MPI_BYTE), {}));
  return Blocks::equal({reinterpret_cast<void*>(address), 1, DatatypeRef(type.get())}, 1);
}

}  // namespace

TEST_CASE("footprints: two buffers meet exactly where they have a byte in common", "[smpi]") {
  Random random(7);
  int met = 0, apart_inside = 0;
  for (int i = 0; i < 20000; ++i) {
    const Blocks a = any_blocks(random), b = any_blocks(random);
    const auto bytes_a = bytes_of(a), bytes_b = bytes_of(b);
    bool common = false, twice = false;
    for (const auto& [at, times] : bytes_a) {
      common = common || bytes_b.contains(at);
      twice = twice || times > 1;
    }
    const Footprint shape_a(a), shape_b(b);
    INFO("case " << i);
    REQUIRE(shape_a.meets(shape_b) == common);
    REQUIRE(shape_b.meets(shape_a) == common);
    REQUIRE(shape_a.meets_itself() == twice);
    const std::int64_t at = between(random, 9990, 10100), bytes = between(random, 1, 9);
    bool inside = false;
    for (std::int64_t k = at; k < at + bytes; ++k) inside = inside || bytes_a.contains(k);
    REQUIRE(shape_a.meets(Span{at, at + bytes}) == inside);
    const Span hull = hull_of(a);
    REQUIRE((bytes_a.empty() ? hull.empty()
                             : hull.begin == bytes_a.begin()->first && hull.end == bytes_a.rbegin()->first + 1));
    met += common ? 1 : 0;
    apart_inside += !common && hull.meets(hull_of(b)) ? 1 : 0;
  }
  CHECK(met > 1000);
  CHECK(apart_inside > 1000);
}

TEST_CASE("footprints: blocks at different distances are compared without a walk", "[smpi]") {
  const std::int64_t many = 100'000'000;
  CHECK(Footprint(vector_at(0x10000, {many, 2, 10})).meets(Footprint(vector_at(0x10005, {many, 2, 13}))));
  CHECK_FALSE(Footprint(vector_at(0x10000, {many, 2, 10})).meets(Footprint(vector_at(0x10005, {many, 5, 20}))));
  CHECK_FALSE(Footprint(vector_at(0x10000, {many, 2, 10})).meets_itself());
}

}  // namespace rehearse::smpi
