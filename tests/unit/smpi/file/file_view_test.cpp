// SPDX-License-Identifier: MIT
//
// Which bytes of a file a view shows.
#include "smpi/file/file_view.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "smpi/datatype/construct.hpp"
#include "smpi/datatype/table.hpp"

using namespace rehearse::smpi;

namespace {

ViewType predefined(MPI_Datatype handle) { return {DatatypeRef(predefined_datatype(handle)), handle}; }

// Blocks of integers at these places, in integers; the extent as well.
ViewType blocks_of_integers(const std::vector<std::pair<int, int>>& blocks, int extent) {
  std::vector<Part> parts;
  for (const auto& [place, count] : blocks)
    parts.push_back({4 * place, 1, 0, count, DatatypeRef(predefined_datatype(MPI_INT))});
  auto* type = new Datatype(std::move(parts), Recipe{MPI_COMBINER_RESIZED}, Bounds{0, 4 * extent});
  type->commit();
  return {DatatypeRef(type), MPI_DATATYPE_NULL};
}

std::vector<std::int64_t> bytes_of(const std::vector<FileRange>& ranges) {
  std::vector<std::int64_t> bytes;
  for (const FileRange& range : ranges)
    for (std::int64_t i = 0; i < range.bytes; ++i) bytes.push_back(range.begin + i);
  return bytes;
}

}  // namespace

TEST_CASE("The default view shows every byte") {
  const FileView view;
  const auto ranges = view.ranges(5, 7);
  REQUIRE(ranges.size() == 1);
  CHECK(ranges[0].begin == 5);
  CHECK(ranges[0].bytes == 7);
  CHECK(view.position_of(12) == 12);
  CHECK(view.etype_bytes() == 1);
}

TEST_CASE("A filetype with gaps tiles the file") {
  // Integers 1 and 2 of every 4, from byte 100 on.
  const FileView view(100, predefined(MPI_INT), blocks_of_integers({{1, 2}}, 4), native_form());
  CHECK(view.place_of(0) == 104);
  CHECK(view.place_of(8) == 120);
  const auto ranges = view.ranges(4, 12);
  REQUIRE(ranges.size() == 2);
  CHECK(ranges[0].begin == 108);
  CHECK(ranges[0].bytes == 4);
  CHECK(ranges[1].begin == 120);
  CHECK(ranges[1].bytes == 8);
}

TEST_CASE("Ranges and places of a view agree byte by byte") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::pair<int, int>> blocks;
    int end = 0;
    for (unsigned i = 0; i < 1 + random() % 4; ++i) {
      const int place = end + static_cast<int>(random() % 3), count = 1 + static_cast<int>(random() % 3);
      blocks.emplace_back(place, count);
      end = place + count;
    }
    const int extent = end + static_cast<int>(random() % 3);
    const FileView view(static_cast<MPI_Offset>(random() % 9), predefined(MPI_INT), blocks_of_integers(blocks, extent),
                        native_form());
    const auto position = static_cast<std::int64_t>(random() % 60);
    const std::vector<std::int64_t> bytes = bytes_of(view.ranges(position, 50));
    REQUIRE(bytes.size() == 50);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      REQUIRE(bytes[i] == view.place_of(position + static_cast<std::int64_t>(i)));
      REQUIRE(view.position_of(bytes[i]) == position + static_cast<std::int64_t>(i));
    }
  }
}

TEST_CASE("Faults of views are named") {
  const ViewType integer = predefined(MPI_INT);
  const auto fault = [&](const ViewType& filetype, bool writable) {
    return FileView(0, integer, filetype, native_form()).fault(writable);
  };
  CHECK(fault(blocks_of_integers({{0, 1}, {2, 1}}, 4), true).empty());
  CHECK(fault(blocks_of_integers({{2, 1}, {0, 1}}, 4), false) == "the displacements in the filetype decrease");
  const ViewType twice = blocks_of_integers({{0, 2}, {1, 2}}, 4);
  CHECK(fault(twice, false).empty());
  CHECK_FALSE(fault(twice, true).empty());
  const FileView halves(0, predefined(MPI_DOUBLE), blocks_of_integers({{0, 1}}, 1), native_form());
  CHECK_FALSE(halves.fault(false).empty());
}

TEST_CASE("Overlaps of lists of ranges") {
  FileRange common;
  const std::vector<FileRange> a{{0, 4}, {10, 4}}, b{{4, 6}}, c{{13, 2}};
  CHECK_FALSE(overlap(a, b, common));
  REQUIRE(overlap(a, c, common));
  CHECK(common.begin == 13);
  CHECK(common.bytes == 1);
  const std::vector<FileRange> merged = sorted({{10, 2}, {0, 4}, {4, 2}, {5, 3}});
  REQUIRE(merged.size() == 2);
  CHECK(merged[0].bytes == 8);
}

TEST_CASE("external32 has its own sizes") {
  const DataForm& external = *find_predefined_form("external32");
  const FileView view(0, predefined(MPI_LONG), predefined(MPI_LONG), external);
  CHECK(view.etype_bytes() == 4);
  CHECK(view.place_of(8) == 8);
  // Integers have the same size there.
  const ViewType gaps = blocks_of_integers({{0, 1}}, 2);
  CHECK(FileView(0, predefined(MPI_INT), gaps, external).fault(true).empty());
}
