// SPDX-License-Identifier: MIT
//
// The functions on datatypes as programs call them.
#include <catch2/catch.hpp>
#include <cstring>
#include <numeric>
#include <vector>

#include "smpi/datatype/table.hpp"
#include "tests/unit/smpi/on_rank.hpp"

using namespace rehearse;
using namespace rehearse::smpi;
using namespace rehearse::tests;

namespace {

struct Contents {
  int combiner = 0;
  std::vector<int> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> datatypes;
};

Contents contents_of(MPI_Datatype type) {
  Contents c;
  int integers = 0, addresses = 0, datatypes = 0;
  CHECK(calls::Type_get_envelope(type, &integers, &addresses, &datatypes, &c.combiner) == 0);
  c.integers.resize(static_cast<std::size_t>(integers));
  c.addresses.resize(static_cast<std::size_t>(addresses));
  c.datatypes.resize(static_cast<std::size_t>(datatypes));
  CHECK(calls::Type_get_contents(type, integers, addresses, datatypes, c.integers.data(), c.addresses.data(),
                                 c.datatypes.data()) == 0);
  return c;
}

void check_contents(MPI_Datatype type, int combiner, const std::vector<int>& integers,
                    const std::vector<MPI_Aint>& addresses, const std::vector<MPI_Datatype>& datatypes) {
  const Contents c = contents_of(type);
  CHECK(c.combiner == combiner);
  CHECK(c.integers == integers);
  CHECK(c.addresses == addresses);
  CHECK(c.datatypes == datatypes);
  CHECK(calls::Type_free(&type) == MPI_SUCCESS);
  CHECK(type == MPI_DATATYPE_NULL);
}

// The share of one process, as the indices that the type picks from an array of them.
std::vector<int> share(int rank, int size, std::vector<int> gsizes, std::vector<int> distribs, std::vector<int> dargs,
                       std::vector<int> psizes, int order) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  REQUIRE(calls::Type_create_darray(size, rank, static_cast<int>(gsizes.size()), gsizes.data(), distribs.data(),
                                    dargs.data(), psizes.data(), order, MPI_INT, &type) == MPI_SUCCESS);
  CHECK(calls::Type_commit(&type) == MPI_SUCCESS);
  std::vector<int> array(
      static_cast<std::size_t>(std::accumulate(gsizes.begin(), gsizes.end(), 1, std::multiplies<>())));
  std::iota(array.begin(), array.end(), 0);
  MPI_Aint lower = 0, extent = 0;
  calls::Type_get_extent(type, &lower, &extent);
  CHECK(lower == 0);
  CHECK(extent == static_cast<MPI_Aint>(array.size() * sizeof(int)));
  int bytes = 0, position = 0;
  calls::Type_size(type, &bytes);
  std::vector<int> picked(static_cast<std::size_t>(bytes) / sizeof(int));
  CHECK(calls::Pack(array.data(), 1, type, picked.data(), bytes, &position, MPI_COMM_SELF) == 0);
  calls::Type_free(&type);
  return picked;
}

}  // namespace

TEST_CASE("datatype calls: contents return the arguments of the constructor", "[smpi][datatype]") {
  CHECK(on_rank([] {
          MPI_Datatype t = MPI_DATATYPE_NULL;
          const int lengths[] = {2, 1}, places[] = {5, 0};
          const MPI_Aint bytes[] = {40, 0};
          const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE};
          const int sizes[] = {4, 6}, subsizes[] = {2, 3}, starts[] = {1, 2};
          calls::Type_contiguous(3, MPI_INT, &t);
          check_contents(t, MPI_COMBINER_CONTIGUOUS, {3}, {}, {MPI_INT});
          calls::Type_vector(3, 2, -4, MPI_INT, &t);
          check_contents(t, MPI_COMBINER_VECTOR, {3, 2, -4}, {}, {MPI_INT});
          calls::Type_create_hvector(3, 2, 40, MPI_CHAR, &t);
          check_contents(t, MPI_COMBINER_HVECTOR, {3, 2}, {40}, {MPI_CHAR});
          calls::Type_indexed(2, lengths, places, MPI_INT, &t);
          check_contents(t, MPI_COMBINER_INDEXED, {2, 2, 1, 5, 0}, {}, {MPI_INT});
          calls::Type_create_hindexed(2, lengths, bytes, MPI_INT, &t);
          check_contents(t, MPI_COMBINER_HINDEXED, {2, 2, 1}, {40, 0}, {MPI_INT});
          calls::Type_create_indexed_block(2, 3, places, MPI_INT, &t);
          check_contents(t, MPI_COMBINER_INDEXED_BLOCK, {2, 3, 5, 0}, {}, {MPI_INT});
          calls::Type_create_hindexed_block(2, 3, bytes, MPI_INT, &t);
          check_contents(t, MPI_COMBINER_HINDEXED_BLOCK, {2, 3}, {40, 0}, {MPI_INT});
          calls::Type_create_struct(2, lengths, bytes, types, &t);
          check_contents(t, MPI_COMBINER_STRUCT, {2, 2, 1}, {40, 0}, {MPI_INT, MPI_DOUBLE});
          calls::Type_create_resized(MPI_INT, -4, 16, &t);
          check_contents(t, MPI_COMBINER_RESIZED, {}, {-4, 16}, {MPI_INT});
          calls::Type_dup(MPI_INT, &t);
          check_contents(t, MPI_COMBINER_DUP, {}, {}, {MPI_INT});
          calls::Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &t);
          check_contents(t, MPI_COMBINER_SUBARRAY, {2, 4, 6, 2, 3, 1, 2, MPI_ORDER_C}, {}, {MPI_INT});
        }).all_ended());
}

TEST_CASE("datatype calls: large counts are returned as large counts", "[smpi][datatype]") {
  CHECK(on_rank([] {
          MPI_Datatype t = MPI_DATATYPE_NULL;
          const MPI_Count lengths[] = {2, 1}, places[] = {40, 0};
          const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE};
          calls::Type_create_struct_c(2, lengths, places, types, &t);
          MPI_Count integers = 0, addresses = 0, counts = 0, datatypes = 0, values[5];
          MPI_Datatype parts[2];
          int combiner = 0;
          CHECK(calls::Type_get_envelope_c(t, &integers, &addresses, &counts, &datatypes, &combiner) == MPI_SUCCESS);
          CHECK((integers == 0 && addresses == 0 && counts == 5 && datatypes == 2));
          CHECK(combiner == MPI_COMBINER_STRUCT);
          CHECK(calls::Type_get_contents_c(t, 0, 0, 5, 2, nullptr, nullptr, values, parts) == 0);
          CHECK(std::vector<MPI_Count>(values, values + 5) == std::vector<MPI_Count>{2, 2, 1, 40, 0});
          CHECK(calls::Type_get_contents(t, 9, 9, 9, nullptr, nullptr, parts) == MPI_ERR_TYPE);
          calls::Type_free(&t);
          calls::Type_contiguous_c(MPI_Count{3} << 31, MPI_INT, &t);
          int size = 0;
          CHECK(calls::Type_size(t, &size) == MPI_SUCCESS);
          CHECK(size == MPI_UNDEFINED);
          calls::Type_free(&t);
        }).all_ended());
}

TEST_CASE("datatype calls: a part that the program made gets a new handle", "[smpi][datatype]") {
  CHECK(on_rank([] {
          MPI_Datatype inner = MPI_DATATYPE_NULL, outer = MPI_DATATYPE_NULL;
          calls::Type_vector(2, 1, 2, MPI_INT, &inner);
          calls::Type_contiguous(2, inner, &outer);
          calls::Type_free(&inner);
          Contents c = contents_of(outer);
          CHECK(c.datatypes[0] != MPI_DATATYPE_NULL);
          const Contents part = contents_of(c.datatypes[0]);
          CHECK(part.combiner == MPI_COMBINER_VECTOR);
          CHECK(datatypes().made.live() == 2);
          calls::Type_free(&c.datatypes[0]);
          calls::Type_free(&outer);
        }).all_ended());
}

TEST_CASE("datatype calls: a distributed array assigns every element once", "[smpi][datatype]") {
  CHECK(on_rank([] {
          const int block = MPI_DISTRIBUTE_BLOCK, cyclic = MPI_DISTRIBUTE_CYCLIC;
          const int none = MPI_DISTRIBUTE_NONE, usual = MPI_DISTRIBUTE_DFLT_DARG;
          CHECK(share(1, 2, {5}, {block}, {usual}, {2}, MPI_ORDER_C) == std::vector{3, 4});
          CHECK(share(1, 2, {5}, {cyclic}, {usual}, {2}, MPI_ORDER_C) == std::vector{1, 3});
          CHECK(share(0, 2, {7}, {cyclic}, {2}, {2}, MPI_ORDER_C) == std::vector{0, 1, 4, 5});
          CHECK(share(1, 2, {7}, {cyclic}, {2}, {2}, MPI_ORDER_C) == std::vector{2, 3, 6});
          CHECK(share(0, 2, {2, 3}, {none, cyclic}, {usual, 1}, {1, 2}, MPI_ORDER_C) == std::vector{0, 2, 3, 5});
          // Columns of Fortran: the first index varies fastest; the process grid stays in C order.
          CHECK(share(1, 4, {2, 4}, {block, block}, {usual, usual}, {2, 2}, MPI_ORDER_FORTRAN) == std::vector{4, 6});
          CHECK(share(3, 4, {1}, {block}, {usual}, {4}, MPI_ORDER_C).empty());
          for (const int distribution : {block, cyclic}) {
            std::vector<int> all;
            for (int rank = 0; rank < 6; ++rank)
              for (const int i : share(rank, 6, {5, 7}, {distribution, cyclic}, {3, 2}, {2, 3}, MPI_ORDER_C))
                all.push_back(i);
            std::sort(all.begin(), all.end());
            std::vector<int> expected(35);
            std::iota(expected.begin(), expected.end(), 0);
            CHECK(all == expected);
          }
        }).all_ended());
}

TEST_CASE("datatype calls: names, sizes to match, pairs", "[smpi][datatype]") {
  CHECK(on_rank([] {
          char name[MPI_MAX_OBJECT_NAME];
          int length = 0;
          MPI_Datatype t = MPI_DATATYPE_NULL;
          calls::Type_get_name(MPI_INT, name, &length);
          CHECK((std::string(name) == "MPI_INT" && length == 7));
          calls::Type_set_name(MPI_INT, "whole number");
          calls::Type_get_name(MPI_INT, name, &length);
          CHECK(std::string(name) == "whole number");
          calls::Type_contiguous(2, MPI_INT, &t);
          calls::Type_get_name(t, name, &length);
          CHECK(length == 0);
          calls::Type_set_name(t, "point");
          calls::Type_get_name(t, name, &length);
          CHECK(std::string(name) == "point");
          calls::Type_free(&t);
          CHECK(calls::Type_match_size(MPI_TYPECLASS_REAL, 8, &t) == MPI_SUCCESS);
          CHECK(t == MPI_REAL8);
          CHECK(calls::Type_match_size(MPI_TYPECLASS_INTEGER, 4, &t) == MPI_SUCCESS);
          CHECK(t == MPI_INTEGER4);
          CHECK(calls::Type_match_size(MPI_TYPECLASS_COMPLEX, 16, &t) == MPI_SUCCESS);
          CHECK(t == MPI_COMPLEX16);
          CHECK(calls::Type_match_size(MPI_TYPECLASS_REAL, 5, &t) == MPI_ERR_ARG);
          CHECK(calls::Type_get_value_index(MPI_DOUBLE, MPI_INT, &t) == MPI_SUCCESS);
          CHECK(t == MPI_DOUBLE_INT);
          CHECK(calls::Type_get_value_index(MPI_INT, MPI_DOUBLE, &t) == MPI_SUCCESS);
          CHECK(t == MPI_DATATYPE_NULL);
        }).all_ended());
}

TEST_CASE("datatype calls: wrong arguments are named", "[smpi][datatype]") {
  CHECK(on_rank([] {
          MPI_Datatype t = MPI_DATATYPE_NULL, null = MPI_DATATYPE_NULL;
          const int negative[] = {1, -1}, places[] = {0, 1};
          CHECK(calls::Type_contiguous(-1, MPI_INT, &t) == MPI_ERR_COUNT);
          CHECK(calls::Type_contiguous(1, null, &t) == MPI_ERR_TYPE);
          CHECK(calls::Type_contiguous(1, MPI_INT, nullptr) == MPI_ERR_ARG);
          CHECK(calls::Type_indexed(2, negative, places, MPI_INT, &t) == MPI_ERR_COUNT);
          CHECK(calls::Type_commit(&null) == MPI_ERR_TYPE);
          MPI_Datatype predefined = MPI_INT;
          CHECK(calls::Type_free(&predefined) == MPI_ERR_TYPE);
          CHECK(calls::Type_commit(&predefined) == MPI_SUCCESS);
          CHECK(calls::Type_contiguous(2, MPI_INT, &t) == MPI_SUCCESS);
          MPI_Datatype copy = t;
          CHECK(calls::Type_free(&t) == MPI_SUCCESS);
          CHECK(calls::Type_free(&copy) == MPI_ERR_TYPE);
          CHECK(calls::Type_contiguous_c(MPI_Count{1} << 62, MPI_INT, &t) == MPI_ERR_VALUE_TOO_LARGE);
        }).all_ended());
  CHECK(failure_on_rank([] {
          MPI_Datatype t = MPI_DATATYPE_NULL;
          calls::Type_vector(2, -3, 1, MPI_INT, &t);
        }) == "argument.count: blocklength is -3; it must not be negative");
}
