// SPDX-License-Identifier: MIT
//
// Signatures are equal exactly for equal sequences of basic types.
#include <catch2/catch.hpp>
#include <chrono>
#include <set>
#include <string>

#include "simcore/signature_number.hpp"
#include "smpi/datatype/construct.hpp"
#include "smpi/datatype/table.hpp"

namespace signature_test {

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
       {signature_of(i, 0), signature_of(i, 1), signature_of(i, 2), signature_of(d, 1), signature_of(*id, 1),
        signature_of(*di, 1), signature_of(*id, 2), signature_of(*di, 2), signature_of(*iidd, 1),
        signature_of(basic(MPI_UNSIGNED), 1), signature_of(basic(MPI_BYTE), 4), signature_of(basic(MPI_INTEGER), 1)})
    CHECK(seen.insert(value).second);
  for (const BasicType& type : basic_types()) {
    if (type.type_class == TypeClass::packed) continue;
    INFO(type.name);
    const bool repeats = type.handle == MPI_INT || type.handle == MPI_DOUBLE || type.handle == MPI_2INT ||
                         type.handle == MPI_DOUBLE_INT || type.handle == MPI_UNSIGNED || type.handle == MPI_INTEGER;
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

// Each number is made of hashes of parts, whatever the number of elements: 4,000 of them would be a walk over 10^12.
TEST_CASE("signature: a vector of 2^27 elements costs no more than a small one", "[smpi][datatype]") {
  const Block pair[] = {{1, 0, &basic(MPI_INT)}, {1, 8, &basic(MPI_DOUBLE)}};
  const auto structure = make_hindexed(pair, {});
  const auto large = make_vector({1 << 27, 1, 2}, *structure, {});
  const auto half = make_vector({1 << 26, 1, 3}, *structure, {});
  const auto numbers = make_vector({1 << 27, 1, 2}, basic(MPI_INT), {});
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) {
    CHECK_FALSE(signature_of(*large, 1) != signature_of(*half, 2));
    CHECK_FALSE(signature_of(*numbers, 1) != signature_of(basic(MPI_INT), 1 << 27));
    CHECK_FALSE(signature_of_bytes(*large, half->size()) != signature_of(*half, 1));
  }
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(1));
  CHECK(signature_of(*large, 1) != signature_of(*half, 1));
}

TEST_CASE("signature: the numbers of simple sequences describe their elements", "[smpi][datatype]") {
  const Block pair[] = {{2, 0, &basic(MPI_INT)}, {1, 8, &basic(MPI_DOUBLE)}};
  const auto structure = make_hindexed(pair, {});
  const auto handle = [](MPI_Datatype type) { return reinterpret_cast<std::uintptr_t>(type) % 256; };
  const SignatureNumber twice{signature_of(*structure, 2)};
  CHECK(twice.form() == SignatureForm::listed);
  CHECK(twice.element_at(1) == handle(MPI_INT));
  CHECK(twice.element_at(2) == handle(MPI_DOUBLE));
  CHECK(twice.element_at(5) == handle(MPI_DOUBLE));
  CHECK_FALSE(twice.element_at(6).has_value());
  CHECK(twice.value == signature_of_bytes(*make_contiguous(9, *structure, {}), 2 * structure->size()));
  CHECK(SignatureNumber{signature_of(*structure, 3)}.form() == SignatureForm::hashed);
  CHECK(signature_of_bytes(*structure, 8) == signature_of(basic(MPI_INT), 2));
  CHECK(SignatureNumber{signature_of(basic(MPI_INT), 2)}.element_at(1) == handle(MPI_INT));
  CHECK(what_differs(signature_of(basic(MPI_INT), 2), signature_of(basic(MPI_INT), 3)) == std::string("count"));
  CHECK(what_differs(signature_of(basic(MPI_INT), 2), signature_of(basic(MPI_FLOAT), 2)) == std::string("signature"));
}

TEST_CASE("signature: an empty sequence differs from another one by the count", "[smpi][datatype]") {
  const Block pair[] = {{2, 0, &basic(MPI_INT)}, {1, 8, &basic(MPI_DOUBLE)}};
  const auto structure = make_hindexed(pair, {});
  const std::uint64_t nothing = signature_of(basic(MPI_INT), 0);
  CHECK(nothing == signature_of(*structure, 0));
  CHECK(nothing == signature_of_bytes(*structure, 0));
  CHECK(nothing == signature_of(basic(MPI_PACKED), 0));
  for (const std::uint64_t something :
       {signature_of(basic(MPI_INT), 3), signature_of(*structure, 1), signature_of(*structure, 100)}) {
    CHECK(what_differs(nothing, something) == std::string("count"));
    CHECK(what_differs(something, nothing) == std::string("count"));
  }
}

}  // namespace signature_test
