// SPDX-License-Identifier: MIT
//
// Rates of regions from two recordings of one rank, and a replay with them.
#include "app/trace_rates.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "tests/support/temporary_file.hpp"
#include "trace/rtrace/writer.hpp"

namespace trace_rates_test {

using namespace rehearse;
using namespace rehearse::app;
using rehearse::testing::TemporaryFile;

namespace {

constexpr const char* counted = R"({"counter": "instructions", "flops_per_instruction": 1})";
constexpr const char* timed = R"({"counter": "processor time of the thread", "flops_per_second": 1e10})";

// A rank that computes in x_solve, y_solve and x_solve.
class Recording {
 public:
  Recording(const char* about, double x_flops, double y_flops) : file_("") {
    auto writer = trace::rtrace::Writer::create(file_.path(), 1, about);
    if (!writer) FAIL(writer.error().text);
    const Observation nothing;
    for (const auto& [site, flops] : {std::pair(1u, x_flops), std::pair(2u, y_flops), std::pair(1u, x_flops)})
      writer.value()->append({0}, Compute{flops, VolumeOrigin::stretch}, &nothing, {}, site);
    writer.value()->append({0}, End{}, &nothing, {}, 3);
    const auto done = writer.value()->finish([](trace::rtrace::Site& site) {
      constexpr const char* functions[] = {"", "x_solve", "y_solve", "main"};
      site.call = "MPI_Send";
      site.function = functions[site.number];
      site.file = "/home/me/lu.c";
      site.line = static_cast<std::uint32_t>(10 * site.number);
    });
    if (!done) FAIL(done.error().text);
  }

  TraceReplayRequest request() const {
    TraceReplayRequest request;
    request.file = file_.path();
    request.machine.on = "cluster:1";
    return request;
  }

 private:
  TemporaryFile file_;
};

double end_of(const TraceReplayRequest& request) {
  const auto replay = replay_trace(request);
  if (!replay) FAIL(replay.error().text);
  return replay.value().run.result.end.seconds();
}

}  // namespace

TEST_CASE("rates: regions of two recordings, and the replay with them", "[app][trace]") {
  const Recording volumes(counted, 4e9, 2e9);  // in all 1e10 instructions
  const Recording times(timed, 1e10, 2e10);    // 1 s, 2 s, 1 s
  const auto rates = measure_rates(volumes.request(), times.request().file);
  REQUIRE(rates);
  REQUIRE(rates.value().size() == 3);
  CHECK(rates.value()[0].per_second == Approx(1e10 / 4));
  const Json json = to_json(rates.value());
  CHECK(json["region x_solve"].get<double>() == Approx(4e9));
  CHECK(json["region y_solve"].get<double>() == Approx(1e9));
  const TemporaryFile file(json.dump(2));
  TraceReplayRequest request = volumes.request();
  request.rate_file = file.path();
  CHECK(end_of(request) == Approx(4));
  request.rate_file.clear();
  request.rate = 2e9;
  CHECK(end_of(request) == Approx(5));
}

TEST_CASE("rates: a site counts before its region, and this before the default", "[app][trace]") {
  const Recording volumes(counted, 4e9, 2e9);
  const TemporaryFile file(R"({"site lu.c:10": 8e9, "region x_solve": 1, "default": 2e9, "region nowhere": 1})");
  TraceReplayRequest request = volumes.request();
  request.rate_file = file.path();
  CHECK(end_of(request) == Approx(0.5 + 1 + 0.5));
  const auto replay = replay_trace(request);
  REQUIRE(replay);
  CHECK(replay.value().unused_rates == std::vector<std::string>{"nowhere"});
  CHECK(volume_in(replay.value().format, replay.value().about).name() == "instructions");
}

TEST_CASE("rates: recordings with other volumes are refused", "[app][trace]") {
  const Recording volumes(counted, 4e9, 2e9), times(timed, 1e10, 2e10);
  const auto text_of = [](const auto& result) { return result ? std::string() : result.error().text; };
  CHECK(text_of(measure_rates(times.request(), times.request().file)).find("--rates") != std::string::npos);
  CHECK(text_of(measure_rates(volumes.request(), volumes.request().file)).find("--times") != std::string::npos);
  TraceReplayRequest request = times.request();
  request.rate = 1e9;
  CHECK(text_of(replay_trace(request)).find("processor time") != std::string::npos);
}

}  // namespace trace_rates_test
