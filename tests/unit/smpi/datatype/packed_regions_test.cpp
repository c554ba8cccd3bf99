// SPDX-License-Identifier: MIT
//
// What is known of packed data, and when it is not.
#include "smpi/datatype/packed_regions.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <string>

#include "smpi/datatype/construct.hpp"
#include "smpi/datatype/table.hpp"
#include "tests/unit/smpi/on_rank.hpp"

namespace packed_regions_test {

using namespace rehearse;
using namespace rehearse::smpi;
using namespace rehearse::tests;
using Catch::Matchers::Contains;

namespace {

const Datatype& basic(MPI_Datatype handle) { return *predefined_datatype(handle); }

}  // namespace

TEST_CASE("packed regions: unpacked data is compared from its position on", "[smpi][datatype]") {
  CHECK(on_rank([] {
          std::array<std::byte, 64> buffer{};
          PackedRegions regions;
          regions.add(buffer.data(), 0, basic(MPI_INT), 2);
          regions.add(buffer.data(), 8, basic(MPI_DOUBLE), 1);
          CHECK(regions.compare(buffer.data(), 0, basic(MPI_INT), 1).what.empty());
          CHECK(regions.compare(buffer.data(), 4, basic(MPI_INT), 1).what.empty());
          CHECK(regions.compare(buffer.data(), 8, basic(MPI_DOUBLE), 1).what.empty());
          CHECK(regions.compare(buffer.data(), 0, basic(MPI_2INT), 1).what.empty());
          CHECK_THAT(regions.compare(buffer.data(), 0, basic(MPI_FLOAT), 2).what,
                     Contains("element 0 is unpacked as MPI_FLOAT but was packed as MPI_INT"));
          CHECK_THAT(regions.compare(buffer.data(), 4, basic(MPI_INT), 2).what, Contains("element 1"));
          CHECK(regions.compare(buffer.data(), 2, basic(MPI_INT), 1).what.empty());
          CHECK(regions.compare(buffer.data(), 8, basic(MPI_INT), 4).what.empty());
        }).all_ended());
}

TEST_CASE("packed regions: changed bytes are unknown", "[smpi][datatype]") {
  CHECK(on_rank([] {
          std::array<std::byte, 64> buffer{};
          PackedRegions regions;
          regions.add(buffer.data(), 0, basic(MPI_INT), 2);
          buffer[1] = std::byte{1};
          CHECK(regions.compare(buffer.data(), 0, basic(MPI_FLOAT), 1).what.empty());
          CHECK(regions.number_of(buffer.data(), 8) == 0);
          buffer[1] = std::byte{0};
          CHECK_FALSE(regions.compare(buffer.data(), 0, basic(MPI_FLOAT), 1).what.empty());
          regions.forget(buffer.data() + 7, 1);
          CHECK(regions.compare(buffer.data(), 0, basic(MPI_FLOAT), 1).what.empty());
        }).all_ended());
}

TEST_CASE("packed regions: the number of a message describes the packed data", "[smpi][datatype]") {
  CHECK(on_rank([] {
          std::array<std::byte, 64> sent{}, received{};
          PackedRegions here, there;
          here.add(sent.data(), 0, basic(MPI_INT), 3);
          here.add(sent.data(), 12, basic(MPI_FLOAT), 1);
          const std::uint64_t number = here.number_of(sent.data(), 64);
          REQUIRE(number != 0);
          there.add_received(received.data(), 64, number, ActorId{3}, {});
          CHECK(there.compare(received.data(), 12, basic(MPI_FLOAT), 1).what.empty());
          const UnpackMismatch mismatch = there.compare(received.data(), 8, basic(MPI_FLOAT), 1);
          CHECK_FALSE(mismatch.what.empty());
          CHECK(mismatch.sender == ActorId{3});
          there.add_received(received.data(), 64, 0, ActorId{3}, {});
          CHECK(there.compare(received.data(), 8, basic(MPI_FLOAT), 1).what.empty());
          there.add_received(received.data(), 8, signature_of(basic(MPI_DOUBLE), 1), ActorId{3}, {});
          CHECK_FALSE(there.compare(received.data(), 0, basic(MPI_INT), 1).what.empty());
        }).all_ended());
}

}  // namespace packed_regions_test
