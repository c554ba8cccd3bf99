// SPDX-License-Identifier: MIT
//
// Signatures are equal exactly for equal sequences of basic types.
#include <catch2/catch.hpp>
#include <set>

#include "smpi/datatype/construct.hpp"
#include "smpi/datatype/table.hpp"

using namespace rehearse;
using namespace rehearse::smpi;

namespace {

const Datatype& basic(MPI_Datatype handle) { return *predefined_datatype(handle); }

}  // namespace

TEST_CASE("signature: the shape of the tree does not matter", "[smpi][datatype]") {
  const Datatype& integer = basic(MPI_INT);
  const auto three = make_contiguous(3, integer, {});
  const auto strided = make_vector({2, 3, 7}, integer, {});
  const Block blocks[] = {{4, 3, &integer}, {2, 90, &integer}};
  const auto indexed = make_indexed(blocks, {});
  const std::uint64_t six = signature_of(integer, 6);
  CHECK(signature_of(*three, 2) == six);
  CHECK(signature_of(*strided, 1) == six);
  CHECK(signature_of(*indexed, 1) == six);
  CHECK(signature_of(*make_resized(*three, -8, 100, {}), 2) == six);
  CHECK(signature_of(*make_duplicate(*indexed, {}), 1) == six);
  CHECK(signature_of(basic(MPI_2INT), 3) == six);
}

TEST_CASE("signature: type, number and order of the elements matter", "[smpi][datatype]") {
  const Datatype &i = basic(MPI_INT), &d = basic(MPI_DOUBLE);
  const Block forth[] = {{1, 0, &i}, {1, 8, &d}}, back[] = {{1, 0, &d}, {1, 8, &i}};
  const Block grouped[] = {{2, 0, &i}, {2, 8, &d}};
  const auto id = make_hindexed(forth, {}), di = make_hindexed(back, {});
  const auto iidd = make_hindexed(grouped, {});
  std::set<std::uint64_t> seen{0, 1};
  for (const std::uint64_t value :
       {signature_of(i, 0), signature_of(i, 1), signature_of(i, 2), signature_of(d, 1),
        signature_of(*id, 1), signature_of(*di, 1), signature_of(*id, 2), signature_of(*di, 2),
        signature_of(*iidd, 1), signature_of(basic(MPI_UNSIGNED), 1),
        signature_of(basic(MPI_BYTE), 4), signature_of(basic(MPI_INTEGER), 1)})
    CHECK(seen.insert(value).second);
  for (const BasicType& type : basic_types()) {
    if (type.type_class == TypeClass::packed) continue;
    INFO(type.name);
    const bool repeats = type.handle == MPI_INT || type.handle == MPI_DOUBLE ||
                         type.handle == MPI_2INT || type.handle == MPI_DOUBLE_INT ||
                         type.handle == MPI_UNSIGNED || type.handle == MPI_INTEGER;
    CHECK(seen.insert(signature_of(basic(type.handle), 1)).second == !repeats);
  }
}

TEST_CASE("signature: MPI_PACKED is unknown wherever it occurs", "[smpi][datatype]") {
  CHECK(signature_of(basic(MPI_PACKED), 5) == 0);
  CHECK(signature_of_bytes(basic(MPI_PACKED), 3) == 0);
  const Block blocks[] = {{1, 0, &basic(MPI_INT)}, {1, 4, &basic(MPI_PACKED)}};
  CHECK(signature_of(*make_hindexed(blocks, {}), 1) == 0);
}

TEST_CASE("signature: a huge count costs no more than its logarithm", "[smpi][datatype]") {
  const auto million = make_contiguous(1'000'000, basic(MPI_DOUBLE), {});
  CHECK(signature_of(*million, 1'000'000) == signature_of(basic(MPI_DOUBLE), 1'000'000'000'000));
}
