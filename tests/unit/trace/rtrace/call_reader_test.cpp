// SPDX-License-Identifier: MIT
//
// Recordings whose collectives are malformed, as calls.
#include <array>
#include <catch2/catch.hpp>
#include <span>
#include <string>
#include <variant>

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
  return schedule ? schedule.value().unsupported : schedule.error().text;
}

}  // namespace

TEST_CASE("calls of a recording: only an empty contribution need not be divided into parts", "[trace]") {
  const std::array<std::uint64_t, 2> parts = {8, 8};
  CHECK(refusal_of(16, parts).empty());
  CHECK(refusal_of(16, {}).find("parts do not fit") != std::string::npos);
  CHECK(refusal_of(0, {}).empty());
}

// A loop is converted once and then repeated. Each round has the partner of its number, in turns.
TEST_CASE("calls of a recording: the rounds of a loop differ in their partners and volumes", "[trace]") {
  const TemporaryFile file("");
  auto writer = trace::rtrace::Writer::create(file.path(), 4, "{}");
  REQUIRE(writer);
  const Observation done;
  constexpr std::uint32_t rounds = 60;
  const auto partner = [](std::uint32_t round) { return 1 + round % 3; };
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const RequestId receive{2 * round}, send{2 * round + 1};
    const std::array requests = {receive, send};
    const Pattern pattern{{0}, ActorId{partner(round)}, Tag{0}};
    writer.value()->append({0}, Post{receive, pattern, 100}, &done, {}, 1);
    Send message;
    message.request = send;
    message.destination = {partner(round)};
    message.data = {static_cast<const std::byte*>(nullptr), 1000};
    writer.value()->append({0}, message, &done, {}, 2);
    writer.value()->append({0}, Observe{requests}, &done, {}, 3);
    writer.value()->append({0}, Compute{round + 0.5}, &done, {}, 4);
  }
  for (std::uint32_t rank = 0; rank < 4; ++rank) writer.value()->append({rank}, End{}, &done, {}, 5);
  REQUIRE(writer.value()->finish([](trace::rtrace::Site&) {}));
  const auto calls = trace::open_trace(file.path());
  REQUIRE(calls);
  const auto reader = calls.value()->read(0);
  trace::Action action;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    REQUIRE(reader->next(action));
    const auto* exchange = std::get_if<trace::ExchangeAction>(&action.what);
    REQUIRE(exchange != nullptr);
    CHECK(exchange->send.destination == partner(round));
    CHECK(exchange->send.bytes == 1000);
    CHECK(exchange->receive.source == partner(round));
    CHECK(exchange->receive.bytes == 100u);
    REQUIRE(reader->next(action));
    REQUIRE(std::holds_alternative<trace::ComputeAction>(action.what));
    CHECK(std::get<trace::ComputeAction>(action.what).flops == round + 0.5);
    CHECK(reader->text().find("compute") != std::string::npos);
  }
  CHECK_FALSE(reader->next(action));
  CHECK(reader->losses().count(trace::Loss::call_places) == 4 * rounds + 1);
}

}  // namespace call_reader_test
