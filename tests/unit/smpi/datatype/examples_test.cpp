// SPDX-License-Identifier: MIT
//
// Bounds, packing and errors on the cases that one meets in books.
#include <array>
#include <catch2/catch.hpp>
#include <cstring>

#include "smpi/datatype/construct.hpp"
#include "smpi/datatype/pack.hpp"
#include "smpi/datatype/table.hpp"

using namespace rehearse;
using namespace rehearse::smpi;

namespace {

const Datatype& basic(MPI_Datatype handle) { return *predefined_datatype(handle); }

DatatypeHolder committed(DatatypeHolder type) {
  type->commit();
  return type;
}

}  // namespace

TEST_CASE("datatype: predefined types have the sizes of C and of gfortran", "[smpi][datatype]") {
  for (const BasicType& type : basic_types()) {
    INFO(type.name);
    REQUIRE(predefined_datatype(type.handle) != nullptr);
    CHECK(basic(type.handle).size() == type.size);
    CHECK(basic(type.handle).extent() == type.extent);
    CHECK(basic(type.handle).committed());
    CHECK(describe(basic(type.handle)) == type.name);
  }
  CHECK(basic(MPI_LONG_DOUBLE).size() == 16);
  CHECK(basic(MPI_LOGICAL).size() == 4);
  CHECK(basic(MPI_DOUBLE_INT).size() == 12);
  CHECK(basic(MPI_DOUBLE_INT).extent() == 16);
  CHECK(basic(MPI_DOUBLE_INT).true_extent() == 12);
  CHECK(basic(MPI_SHORT_INT).size() == 6);
  CHECK(basic(MPI_COMPLEX32).size() == 32);
  CHECK(predefined_datatype(MPI_DATATYPE_NULL) == nullptr);
}

TEST_CASE("datatype: a column of a matrix is one run, and a row no copy", "[smpi][datatype]") {
  const auto column = committed(make_vector({4, 1, 4}, basic(MPI_INT), {}));
  REQUIRE(column->layout().size() == 1);
  CHECK(column->layout()[0] == Run{.bytes = 4, .stride = 16, .count = 4});
  CHECK_FALSE(column->contiguous());
  const auto row = committed(make_vector({2, 4, 4}, basic(MPI_INT), {}));
  CHECK(row->contiguous());
  int matrix[4][4] = {};
  const auto in_place = contiguous_data(*row, 2, matrix[0]);
  REQUIRE(in_place.has_value());
  CHECK(in_place->data() == reinterpret_cast<std::byte*>(&matrix[0][0]));
  CHECK(in_place->size() == sizeof matrix);
  CHECK_FALSE(contiguous_data(*column, 1, matrix[0]).has_value());
  CHECK(contiguous_data(*column, 0, matrix[0])->empty());
}

TEST_CASE("datatype: the layout of a big regular type stays small", "[smpi][datatype]") {
  const Dimension cube[] = {{1000, 500, 3}, {1000, 500, 4}, {1000, 500, 5}};
  const auto inner = committed(make_subarray(cube, basic(MPI_DOUBLE), {}));
  CHECK(inner->size() == 8LL * 500 * 500 * 500);
  CHECK(inner->extent() == 8'000'000'000);
  CHECK(inner->layout().size() == 2);
  const Block fields[] = {{1, 0, &basic(MPI_INT)}, {1, 8, &basic(MPI_DOUBLE)}};
  const auto record = make_hindexed(fields, {});
  CHECK(committed(make_contiguous(1'000'000, *record, {}))->layout().size() == 3);
  std::vector<Block> regular;
  for (int i = 0; i < 1000; ++i) regular.push_back({1, 3 * i, &basic(MPI_INT)});
  CHECK(committed(make_indexed(regular, {}))->layout().size() == 1);
}

TEST_CASE("datatype: a resized column interleaves", "[smpi][datatype]") {
  const auto column = make_vector({3, 1, 3}, basic(MPI_INT), {});
  const auto narrow = committed(make_resized(*column, 0, sizeof(int), {}));
  CHECK(narrow->lower_bound() == 0);
  CHECK(narrow->extent() == 4);
  CHECK(narrow->true_extent() == 28);
  const std::array<int, 9> matrix{0, 1, 2, 3, 4, 5, 6, 7, 8};
  std::array<int, 9> packed{};
  pack(*narrow, 3, matrix.data(), reinterpret_cast<std::byte*>(packed.data()));
  CHECK(packed == std::array<int, 9>{0, 3, 6, 1, 4, 7, 2, 5, 8});
}

TEST_CASE("datatype: padding, negative lower bounds and explicit bounds", "[smpi][datatype]") {
  const Block pair[] = {{1, 0, &basic(MPI_DOUBLE)}, {1, 8, &basic(MPI_CHAR)}};
  const auto padded = make_hindexed(pair, {});
  CHECK(padded->extent() == 16);
  CHECK(padded->size() == 9);
  CHECK(padded->true_extent() == 9);
  const auto backwards = make_vector({3, 1, -2}, basic(MPI_INT), {});
  CHECK(backwards->lower_bound() == -16);
  CHECK(backwards->extent() == 20);
  CHECK(backwards->true_lower_bound() == -16);
  const auto marked = make_resized(basic(MPI_INT), -4, 12, {});
  const Block mixed[] = {{1, 0, marked.get()}, {1, 100, &basic(MPI_DOUBLE)}};
  const auto hidden = make_hindexed(mixed, {});
  CHECK(hidden->lower_bound() == -4);
  CHECK(hidden->extent() == 12);
  CHECK(hidden->true_extent() == 108);
  const auto nothing = committed(make_contiguous(0, basic(MPI_INT), {}));
  CHECK(nothing->extent() == 0);
  CHECK(nothing->size() == 0);
  CHECK(nothing->contiguous());
}

TEST_CASE("datatype: absolute addresses work with MPI_BOTTOM", "[smpi][datatype]") {
  int a = 11;
  double b = 2.5;
  const Block blocks[] = {{1, reinterpret_cast<std::int64_t>(&a), &basic(MPI_INT)},
                          {1, reinterpret_cast<std::int64_t>(&b), &basic(MPI_DOUBLE)}};
  const auto type = committed(make_hindexed(blocks, {}));
  std::byte packed[12];
  pack(*type, 1, MPI_BOTTOM, packed);
  a = 0;
  b = 0;
  unpack(*type, 1, packed, MPI_BOTTOM);
  CHECK(a == 11);
  CHECK(b == 2.5);
}

TEST_CASE("datatype: sizes out of range are detected", "[smpi][datatype]") {
  const std::int64_t much = std::int64_t{1} << 60;
  CHECK(make_contiguous(much, basic(MPI_DOUBLE), {})->overflow());
  CHECK(make_vector({much, much, 1}, basic(MPI_CHAR), {})->overflow());
  CHECK(make_vector({2, 1, INT64_MAX}, basic(MPI_DOUBLE), {})->overflow());
  CHECK(make_resized(basic(MPI_INT), INT64_MAX, 5, {})->overflow());
  CHECK_FALSE(make_contiguous(much / 16, basic(MPI_DOUBLE), {})->overflow());
}

TEST_CASE("datatype: components may be freed, and are named in descriptions", "[smpi][datatype]") {
  DatatypeHolder outer;
  {
    const auto inner = make_vector({2, 1, 2}, basic(MPI_INT), {});
    Recipe recipe{.combiner = MPI_COMBINER_CONTIGUOUS, .datatypes = {DatatypeRef(inner)}};
    outer = make_contiguous(3, *inner, std::move(recipe));
  }
  outer->commit();
  CHECK(outer->size() == 24);
  CHECK(describe(*outer) == "contiguous of datatype");
}
