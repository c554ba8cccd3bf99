// SPDX-License-Identifier: MIT
//
// MPI_Pack, MPI_Unpack and their checks.
#include <catch2/catch.hpp>

#include "tests/unit/smpi/on_rank.hpp"

using namespace rehearse::smpi;
using namespace rehearse::tests;

TEST_CASE("pack: data that was packed piece by piece is unpacked piece by piece", "[smpi][datatype]") {
  CHECK(on_rank([] {
          char buffer[64];
          int position = 0, size = 0;
          const int numbers[] = {1, 2, 3, 4};
          const double real = 2.5;
          MPI_Datatype every_other = MPI_DATATYPE_NULL;
          calls::Type_vector(2, 1, 2, MPI_INT, &every_other);
          calls::Type_commit(&every_other);
          CHECK(calls::Pack_size(1, every_other, MPI_COMM_WORLD, &size) == MPI_SUCCESS);
          CHECK(size == 8);
          CHECK(calls::Pack(numbers, 1, every_other, buffer, 64, &position, MPI_COMM_WORLD) == 0);
          CHECK(calls::Pack(&real, 1, MPI_DOUBLE, buffer, 64, &position, MPI_COMM_WORLD) == 0);
          CHECK(position == 16);
          int first = 0, second = 0;
          double back = 0;
          position = 0;
          CHECK(calls::Unpack(buffer, 16, &position, &first, 1, MPI_INT, MPI_COMM_WORLD) == 0);
          CHECK(calls::Unpack(buffer, 16, &position, &second, 1, MPI_INT, MPI_COMM_WORLD) == 0);
          CHECK(calls::Unpack(buffer, 16, &position, &back, 1, MPI_DOUBLE, MPI_COMM_WORLD) == 0);
          CHECK((first == 1 && second == 3 && back == 2.5 && position == 16));
          calls::Type_free(&every_other);
        }).all_ended());
}

TEST_CASE("pack: it needs room and a committed type", "[smpi][datatype]") {
  CHECK(on_rank([] {
          char buffer[8] = {};
          int position = 4, number = 7;
          CHECK(calls::Pack(&number, 1, MPI_INT, buffer, 8, &position, MPI_COMM_WORLD) == 0);
          CHECK(calls::Pack(&number, 1, MPI_INT, buffer, 8, &position, MPI_COMM_WORLD) == MPI_ERR_ARG);
          CHECK(calls::Unpack(buffer, 8, &position, &number, 1, MPI_INT, MPI_COMM_WORLD) == MPI_ERR_ARG);
          CHECK(position == 8);
          position = 0;
          CHECK(calls::Pack(&number, -1, MPI_INT, buffer, 8, &position, MPI_COMM_WORLD) == MPI_ERR_COUNT);
          CHECK(calls::Pack(&number, 1, MPI_INT, buffer, 8, &position, MPI_COMM_NULL) == MPI_ERR_COMM);
          MPI_Datatype pair = MPI_DATATYPE_NULL;
          calls::Type_contiguous(2, MPI_INT, &pair);
          CHECK(calls::Pack(buffer, 1, pair, buffer, 8, &position, MPI_COMM_WORLD) == MPI_ERR_TYPE);
          calls::Type_free(&pair);
        }).all_ended());
}
