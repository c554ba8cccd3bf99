// SPDX-License-Identifier: MIT
//
// Caveats about recordings whose facts are written by hand.
#include "app/trace_caveats.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "app/trace/recording_file.hpp"
#include "tests/support/temporary_file.hpp"
#include "trace/conversion.hpp"
#include "trace/trace.hpp"

namespace trace_caveats_test {

using namespace rehearse;
using namespace rehearse::app;
using rehearse::testing::TemporaryFile;

namespace {

// Whether a caveat about the replay of this recording has the text.
bool warns(const std::string& about, const std::string& text) {
  const TemporaryFile calls("0 compute 1e9\n0 send 1 0 8\n1 recv 0 0 8\n"), recording("");
  const auto trace = trace::open_trace(calls.path());
  REQUIRE(trace);
  REQUIRE(trace::write_recording(*trace.value(), recording.path(), about));
  TraceReplayRequest request;
  request.file = recording.path();
  const auto replay = replay_trace(request);
  REQUIRE(replay);
  return std::ranges::any_of(caveats_of(request, replay.value()),
                             [&](const std::string& caveat) { return caveat.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("caveats: the machine of the recording had other work", "[app][trace]") {
  CHECK(warns(R"({"core_part": 0.53})", "had a core in 53 % of its time"));
  CHECK(warns(R"({"slow_core": true})", "the core became slower"));
  CHECK_FALSE(warns("{}", "quiet machine"));
}

TEST_CASE("recordings: the end of a run says what disturbed it", "[app][trace]") {
  TimedRun run;
  CHECK(about_end_of(run).empty());
  run.load = CoreLoad{2, 1, 10, 0};
  CHECK(about_end_of(run) == R"({"core_part":0.5})");
  run.load = CoreLoad{1, 1, 10, 9};
  CHECK(about_end_of(run) == R"({"slow_core":true})");
  run.load = CoreLoad{1, 1, 10, 0};
  CHECK(about_end_of(run).empty());
}

}  // namespace trace_caveats_test
