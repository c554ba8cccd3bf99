// SPDX-License-Identifier: MIT
//
// Names of findings.
#include "simcore/finding_id.hpp"

#include <catch2/catch.hpp>

#include "properties/catalogue.hpp"
#include "simcore/schedule.hpp"

namespace rehearse {

TEST_CASE("finding id: the family is the first word") {
  CHECK(FindingId("deadlock.cycle").family() == "deadlock");
  CHECK(FindingId("buffer.overlap.receives").family() == "buffer");
  CHECK(FindingId("alone").family() == "alone");
}

TEST_CASE("finding id: words cover an id at the dots only") {
  const FindingId id("buffer.overlap.receives");
  CHECK(id.is_under("buffer"));
  CHECK(id.is_under("buffer.overlap"));
  CHECK(id.is_under("buffer.overlap.receives"));
  CHECK_FALSE(id.is_under("buffer.over"));
  CHECK_FALSE(id.is_under("buffer.overlap.receives.more"));
}

TEST_CASE("finding id: the ids that code asks about are in the catalogue") {
  for (const std::string_view id : finding_ids::all) {
    CAPTURE(id);
    CHECK(properties::find_check(id) != nullptr);
  }
}

TEST_CASE("witness: one schedule, or two that are compared, are read as they are written") {
  for (const char* text : {"", "0:r3<-2#5", "0:r3<-2#5 against 0:r3<-1#5", " against 0:o7=no"}) {
    CAPTURE(text);
    const auto witness = parse_witness(text);
    REQUIRE(witness);
    CHECK(to_text(witness.value()) == text);
  }
  CHECK(parse_witness("0:r3<-2#5 against ").value().compared_with == Schedule{});
  CHECK_FALSE(parse_witness("0:r3<-2#5 against nothing"));
}

}  // namespace rehearse
