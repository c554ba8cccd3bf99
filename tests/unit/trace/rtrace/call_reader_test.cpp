// SPDX-License-Identifier: MIT
//
// Recordings whose collectives are malformed, as calls.
#include <array>
#include <catch2/catch.hpp>
#include <span>
#include <string>

#include "tests/support/temporary_file.hpp"
#include "trace/goal_conversion.hpp"
#include "trace/rtrace/writer.hpp"
#include "trace/trace.hpp"

namespace call_reader_test {

using namespace rehearse;
using rehearse::testing::TemporaryFile;

namespace {

constexpr std::array<ActorId, 2> both = {ActorId{0}, ActorId{1}};

// Why the recording of a scatter from rank 0, of so many bytes in these parts, has no schedule. Empty: it has one.
std::string refusal_of(std::uint64_t bytes, std::span<const std::uint64_t> parts) {
  const TemporaryFile file("");
  auto writer = trace::rtrace::Writer::create(file.path(), 2, "{}");
  REQUIRE(writer);
  const Observation nothing;
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    Collective scatter;
    scatter.context = {2};
    scatter.members = both;
    scatter.name = "scatter";
    scatter.flow = Flow::root_to_all;
    scatter.root = 0;
    scatter.hints.kind = CollectiveKind::scatter;
    if (rank == 0) scatter.contribution = {static_cast<const std::byte*>(nullptr), static_cast<std::size_t>(bytes)};
    if (rank == 0) scatter.segment_bytes = parts;
    writer.value()->append({rank}, scatter, &nothing, {}, 1);
    writer.value()->append({rank}, End{}, &nothing, {}, 2);
  }
  REQUIRE(writer.value()->finish([](trace::rtrace::Site&) {}));
  const auto calls = trace::open_trace(file.path());
  REQUIRE(calls);
  const auto schedule = trace::make_schedule(*calls.value(), {});
  REQUIRE(schedule);
  return schedule.value().unsupported;
}

}  // namespace

TEST_CASE("calls of a recording: a contribution without parts is refused", "[trace]") {
  const std::array<std::uint64_t, 2> parts = {8, 8};
  CHECK(refusal_of(16, parts).empty());
  CHECK(refusal_of(16, {}).find("not divided into parts") != std::string::npos);
  CHECK(refusal_of(0, {}).empty());
}

}  // namespace call_reader_test
