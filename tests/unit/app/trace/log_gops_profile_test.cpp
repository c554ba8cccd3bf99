// SPDX-License-Identifier: MIT
//
// Profiles and efficiencies of schedules in the LogGOPS model and on platforms, with dates by hand.
#include "app/log_gops_profile.hpp"

#include <catch2/catch.hpp>

#include "app/trace_efficiency.hpp"
#include "app/trace_profile.hpp"
#include "tests/support/temporary_file.hpp"

namespace log_gops_profile_test {

using namespace rehearse;
using namespace rehearse::app;
using rehearse::testing::TemporaryFile;

namespace {

// Rank 0 calculates 3 us and sends 101 bytes; rank 1 calculates 1 us and receives them.
constexpr const char* late_schedule = "num_ranks 2\nrank 0 {\na: calc 3000\nb: send 101b to 1\nb requires a\n}\n"
                                      "rank 1 {\na: calc 1000\nb: recv 101b from 0\nb requires a\n}\n";

LogGopsRequest schedule_request(const TemporaryFile& file) {
  LogGopsRequest request;
  request.file = file.path();
  request.parameters = {1000, 200, 50, 3, 1, 65535};
  return request;
}

std::int64_t growth_of(const LogGopsProfile& profile, char parameter) {
  for (const LogGopsGrowth& each : profile.growth)
    if (each.parameter == parameter) return each.growth;
  FAIL("no parameter");
  return 0;
}

}  // namespace

TEST_CASE("LogGOPS profile: the parameters on the critical path add up to the end", "[app][trace]") {
  const TemporaryFile file(late_schedule);
  const auto done = profile_log_gops(schedule_request(file));
  REQUIRE(done);
  const LogGopsProfile& profile = done.value();
  // 3000 + o + L + o + 100 max(O, G): the first byte is sent after o, and the receiver takes 100 G for the others.
  CHECK(profile.replay.end_ns() == 3000 + 200 + 1000 + 200 + 300);
  CHECK(growth_of(profile, 'L') == 1);
  CHECK(growth_of(profile, 'o') == 2);
  CHECK(growth_of(profile, 'g') == 0);
  CHECK(growth_of(profile, 'G') == 100);
  CHECK(growth_of(profile, 'O') == 0);
  CHECK(profile.computation_on_path_ns() == 3000);
  CHECK(profile.replay.ranks[0].overhead_ns == 200 + 100);
  CHECK(profile.replay.ranks[1].overhead_ns == 200 + 300);
  REQUIRE(profile.pairs.size() == 1);
  CHECK(profile.pairs[0].bytes == 101);
  REQUIRE(profile.sizes.size() == 1);
  CHECK(profile.sizes[0].least == 64);
}

TEST_CASE("LogGOPS profile: a schedule that does not end has none", "[app][trace]") {
  const TemporaryFile file("num_ranks 2\nrank 0 {\nrecv 8b from 1\n}\nrank 1 {\n}\n");
  const auto done = profile_log_gops(schedule_request(file));
  REQUIRE(done);
  CHECK(done.value().growth.empty());
  CHECK_FALSE(done.value().replay.has_ended());
}

TEST_CASE("LogGOPS efficiency: the ideal network takes no time", "[app][trace]") {
  const TemporaryFile file(late_schedule);
  EfficiencyRequest request;
  request.has_ladder = true;
  const auto done = measure_efficiency(schedule_request(file), request);
  REQUIRE(done);
  const LogGopsEfficiency& efficiency = done.value();
  CHECK(efficiency.work.seconds == Approx(4.7e-6));
  CHECK(efficiency.ideal_seconds == Approx(3e-6));
  CHECK(*efficiency.metrics.load_balance == Approx(2.0 / 3));
  CHECK(*efficiency.metrics.serialisation == Approx(1));
  CHECK(*efficiency.metrics.transfer == Approx(3 / 4.7));
  CHECK(*efficiency.metrics.parallel == Approx(2 / 4.7));
  REQUIRE(efficiency.ladder.size() == 8);
  CHECK(efficiency.ladder[1].seconds == Approx(3.7e-6));  // no latency
  CHECK(efficiency.ladder[2].seconds == Approx(4.5e-6));  // infinite bandwidth: 100 O remain at the receiver
  CHECK(efficiency.ladder[6].seconds == Approx(3.7e-6));  // both calculate 2 us
  CHECK(efficiency.ladder[7].seconds == Approx(2e-6));
}

TEST_CASE("LogGOPS efficiency: of a rank with two processors, the mean of them counts", "[app][trace]") {
  const TemporaryFile file("num_ranks 1\nrank 0 {\ncalc 3000 cpu 0\ncalc 1000 cpu 1\n}\n");
  const auto done = measure_efficiency(schedule_request(file), {});
  REQUIRE(done);
  CHECK(done.value().work.ranks[0].compute_seconds == Approx(2e-6));
  CHECK(*done.value().metrics.parallel == Approx(2.0 / 3));
}

TEST_CASE("efficiency and profile of a schedule on a platform", "[app][trace]") {
  const TemporaryFile file("num_ranks 2\nrank 0 {\na: calc 3000000000\nb: send 101b to 1\nb requires a\n}\n"
                           "rank 1 {\na: calc 1000000000\nb: recv 101b from 0\nb requires a\n}\n");
  EfficiencyRequest request;
  request.has_ladder = true;
  request.replay.file = file.path();
  request.replay.machine.models.values = {{"network", "constant"}, {"delay", "1"}};
  const auto done = measure_efficiency(request);
  REQUIRE(done);
  CHECK(done.value().work.seconds == Approx(4));
  CHECK(done.value().ideal_seconds == Approx(3));
  CHECK(*done.value().metrics.load_balance == Approx(2.0 / 3));
  CHECK(*done.value().metrics.transfer == Approx(0.75));
  REQUIRE(done.value().ladder.size() == 8);
  CHECK(done.value().ladder[6].name == "equal computation on all ranks");
  CHECK(done.value().ladder[6].seconds == Approx(3));
  const auto profiled = profile_trace(request.replay);
  REQUIRE(profiled);
  REQUIRE(profiled.value().profile);
  const TimeProfile& profile = *profiled.value().profile;
  CHECK(profile.ranks[1].time[Spent::computation].seconds() == Approx(1));
  CHECK(profile.ranks[1].time[Spent::late_sender].seconds() == Approx(2));
  CHECK(profile.ranks[1].time[Spent::transfer].seconds() == Approx(1));
  CHECK(profile.path[Spent::computation].seconds() == Approx(3));
}

TEST_CASE("profile: a schedule with several branches on a platform is refused, its efficiency is not", "[app][trace]") {
  const TemporaryFile file("num_ranks 1\nrank 0 {\ncalc 3000000000 cpu 0\ncalc 1000000000 cpu 1\n}\n");
  EfficiencyRequest request;
  request.replay.file = file.path();
  request.replay.machine.on = "cluster:1";
  request.replay.machine.models.values = {{"network", "constant"}, {"delay", "1"}};
  const auto profiled = profile_trace(request.replay);
  REQUIRE_FALSE(profiled);
  CHECK(profiled.error().text.find("chains of operations") != std::string::npos);
  const auto done = measure_efficiency(request);
  REQUIRE(done);
  CHECK(done.value().work.ranks.size() == 1);
  CHECK(done.value().work.ranks[0].compute_seconds > 0);
}

}  // namespace log_gops_profile_test
