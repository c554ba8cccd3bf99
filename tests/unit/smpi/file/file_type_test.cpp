// SPDX-License-Identifier: MIT
//
// Datatypes in a file whose integers have 11 bytes, against the same constructors over types of 11 bytes.
#include "smpi/file/file_type.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "smpi/datatype/construct.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/rma/operation_message.hpp"

namespace file_type_test {

using namespace rehearse::smpi;

constexpr std::int64_t there = 11;  // bytes of an integer in the file

std::int64_t size_there(const BasicType& basic) { return basic.handle == MPI_INT ? there : basic.size; }

// A type over integers, and the same over elements of the file.
struct Twins {
  DatatypeHolder memory, file;
};

Recipe recipe(int combiner, const Datatype& old) {
  Recipe made{combiner};
  made.datatypes.push_back(DatatypeRef(&old));
  return made;
}

class RandomTypes {
 public:
  explicit RandomTypes(unsigned seed) : random_(seed) {}

  Twins make(int depth) {
    if (depth == 0) {
      const Datatype& byte = *predefined_datatype(MPI_BYTE);
      return {make_contiguous(1, *predefined_datatype(MPI_INT), recipe(MPI_COMBINER_CONTIGUOUS, integer())),
              make_contiguous(there, byte, recipe(MPI_COMBINER_CONTIGUOUS, byte))};
    }
    const Twins old = make(depth - 1);
    combiner_ = static_cast<int>(random_() % 8);
    draw();
    return {over(*old.memory), over(*old.file)};
  }

 private:
  static const Datatype& integer() { return *predefined_datatype(MPI_INT); }

  void draw() {
    for (std::int64_t& number : drawn_) number = 1 + static_cast<std::int64_t>(random_() % 3);
  }

  DatatypeHolder over(const Datatype& old) const {
    const auto& [a, b, c, d] = drawn_;
    const std::vector<Block> blocks{{a, 0, &old}, {b, a + c, &old}, {c, 2 * a + b + c + d, &old}};
    // In bytes of the file, for both.
    const std::vector<Block> bytes{{1, 0, &old}, {b, 1000 * a, &old}, {c, 3000 * a, &old}};
    const std::vector<Dimension> box{{a + b + 1, a, b}, {c + d, c, d - 1}};
    const std::vector<DistributedDimension> pieces{{4 * a, MPI_DISTRIBUTE_CYCLIC, b, 2, 1},
                                                   {3 * c, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_DFLT_DARG, 2, 0}};
    switch (combiner_) {
      case 0: return make_contiguous(a, old, recipe(MPI_COMBINER_CONTIGUOUS, old));
      case 1: return make_vector({a, b, b + c}, old, recipe(MPI_COMBINER_VECTOR, old));
      case 2: return make_hvector({a, b, 1000 * c}, old, recipe(MPI_COMBINER_HVECTOR, old));
      case 3: return make_indexed(blocks, recipe(MPI_COMBINER_INDEXED, old));
      case 4: return make_hindexed(bytes, recipe(MPI_COMBINER_STRUCT, old));
      case 5: return make_resized(old, 0, 5000 * d, recipe(MPI_COMBINER_RESIZED, old));
      case 6: return make_subarray(box, old, recipe(MPI_COMBINER_SUBARRAY, old));
      default: return make_distributed(pieces, old, recipe(MPI_COMBINER_DARRAY, old));
    }
  }

  std::mt19937 random_;
  int combiner_ = 0;
  std::array<std::int64_t, 4> drawn_{};
};

// The places of all bytes, in the order of the data.
std::vector<std::int64_t> places(const Datatype& type) {
  std::vector<std::int64_t> found;
  for (const TargetBlock& block : blocks_of(type, 1, nullptr))
    for (std::uint64_t i = 0; i < block.count; ++i)
      found.push_back(static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(block.address) + i));
  return found;
}

TEST_CASE("A type in a file is that of the same constructors over elements of the file") {
  for (unsigned seed = 0; seed < 500; ++seed) {
    const Twins twins = RandomTypes(seed).make(1 + static_cast<int>(seed % 3));
    const DatatypeRef found = type_in_file(*twins.memory, size_there);
    twins.file->commit();
    CAPTURE(seed);
    REQUIRE(found->extent() == twins.file->extent());
    REQUIRE(found->size() == bytes_in_file(*twins.memory, size_there));
    REQUIRE(places(*found) == places(*twins.file));
  }
}

TEST_CASE("A pair has no gap in a file") {
  const Datatype& pair = *predefined_datatype(MPI_DOUBLE_INT);
  const DatatypeRef found = type_in_file(pair, size_there);
  CHECK(found->extent() == 8 + there);
  CHECK(bytes_in_file(pair, size_there) == 8 + there);
}

TEST_CASE("The end of a file cuts the data at an element") {
  const Datatype& pair = *predefined_datatype(MPI_DOUBLE_INT);
  const DatatypeHolder four = make_contiguous(4, pair, recipe(MPI_COMBINER_CONTIGUOUS, pair));
  for (std::int64_t bytes = 0; bytes <= 10 * (8 + there); ++bytes) {
    const std::int64_t rest = bytes % (8 + there), pairs = bytes / (8 + there);
    const ReadElements found = elements_in(*four, bytes, size_there);
    REQUIRE(found.elements == 2 * pairs + (rest >= 8 ? 1 : 0));
    REQUIRE(found.bytes == 12 * pairs + (rest >= 8 ? 8 : 0));
  }
}

}  // namespace file_type_test
