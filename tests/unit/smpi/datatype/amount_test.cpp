// SPDX-License-Identifier: MIT
//
// Amounts of data in words.
#include "smpi/datatype/amount.hpp"

#include <catch2/catch.hpp>

#include "smpi/datatype/construct.hpp"
#include "smpi/datatype/table.hpp"

using namespace rehearse;
using namespace rehearse::smpi;

TEST_CASE("amount: elements are named with their type and bytes", "[smpi][datatype]") {
  const Datatype& integer = *predefined_datatype(MPI_INT);
  CHECK(amount_text(2, integer) == "2 MPI_INT (8 bytes)");
  CHECK(amount_text(1, *predefined_datatype(MPI_CHAR)) == "1 MPI_CHAR (1 byte)");
}

TEST_CASE("amount: a signature number of one type gives the type, others give the bytes", "[smpi][datatype]") {
  const Datatype& real = *predefined_datatype(MPI_DOUBLE);
  CHECK(amount_text(SignatureNumber{signature_of(real, 3)}, 24) == "3 MPI_DOUBLE (24 bytes)");
  CHECK(amount_text(SignatureNumber{0}, 24) == "24 bytes");
  CHECK(amount_text(SignatureNumber{signature_of(real, 3)}, 20) == "20 bytes");
}

TEST_CASE("amount: bytes of an unknown type are compared with the expected elements", "[smpi][datatype]") {
  const Datatype& integer = *predefined_datatype(MPI_INT);
  CHECK(amount_text_like(integer, 8) == "8 bytes (as much as 2 MPI_INT)");
  CHECK(amount_text_like(integer, 7) == "7 bytes");
  CHECK(amount_text_like(integer, 0) == "0 bytes");
}
