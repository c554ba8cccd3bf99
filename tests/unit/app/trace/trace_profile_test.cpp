// SPDX-License-Identifier: MIT
//
// Profiles of traces whose dates are computed by hand: cores of 10 Gflop/s, and each message takes a second.
#include "app/trace_profile.hpp"

#include <catch2/catch.hpp>

#include "tests/support/temporary_file.hpp"

using namespace rehearse;
using namespace rehearse::app;
using rehearse::testing::TemporaryFile;

namespace {

TraceReplayRequest profile_request(const TemporaryFile& file) {
  TraceReplayRequest request;
  request.file = file.path();
  request.machine.models.values = {{"network", "constant"}, {"delay", "1"}};
  return request;
}

TimeProfile profiled(const TraceReplayRequest& request) {
  auto result = profile_trace(request);
  if (!result) FAIL(result.error().text);
  REQUIRE(result.value().profile);
  return std::move(*result.value().profile);
}

double seconds(const TimeByUse& time, Spent use) { return time[use].seconds(); }

const ProfileRow& row(const TimeProfile& profile, const std::string& action) {
  for (const ProfileRow& each : profile.rows)
    if (each.action == action) return each;
  FAIL("no row " + action);
  return profile.rows.front();
}

}  // namespace

TEST_CASE("profile: a receive waits for a late sender, then for the message", "[app][trace]") {
  const TemporaryFile file("0 compute 3e10\n0 send 1 0 1000\n1 compute 1e10\n1 recv 0 0 1000\n");
  const TimeProfile profile = profiled(profile_request(file));
  CHECK(profile.end.seconds() == 4);
  CHECK(seconds(profile.ranks[1].time, Spent::computation) == 1);
  CHECK(seconds(profile.ranks[1].time, Spent::late_sender) == 2);
  CHECK(seconds(profile.ranks[1].time, Spent::transfer) == 1);
  CHECK(seconds(row(profile, "recv").time, Spent::late_sender) == 2);
  CHECK(row(profile, "send").bytes == 1000);
  CHECK(row(profile, "send").time.all() == Duration{});
  CHECK(row(profile, "computation").operations == 2);
  // The path: rank 0 computes, then the message is on its way.
  CHECK(seconds(profile.path, Spent::computation) == 3);
  CHECK(seconds(profile.path, Spent::transfer) == 1);
  CHECK(profile.ranks[0].path.all().seconds() == 3);
  CHECK(profile.ranks[1].path.all().seconds() == 1);
  REQUIRE(profile.pairs.size() == 1);
  CHECK(profile.pairs[0].late_sender.seconds() == 2);
  CHECK(profile.pairs[0].transfer.seconds() == 1);
  CHECK(profile.pairs[0].bytes == 1000);
  REQUIRE(profile.sizes.size() == 1);
  CHECK(profile.sizes[0].least == 512);
  CHECK(profile.sizes[0].flight.seconds() == 1);
}

TEST_CASE("profile: a wait for a request is treated as its receive", "[app][trace]") {
  const TemporaryFile file("0 compute 3e10\n0 send 1 0 1000\n1 irecv 0 0 1000\n1 compute 1e10\n1 wait 0 1 0\n");
  const TimeProfile profile = profiled(profile_request(file));
  CHECK(seconds(row(profile, "wait").time, Spent::late_sender) == 2);
  CHECK(seconds(row(profile, "wait").time, Spent::transfer) == 1);
  CHECK(row(profile, "irecv").time.all() == Duration{});
}

TEST_CASE("profile: a large send waits for a late receiver", "[app][trace]") {
  const TemporaryFile file("0 send 1 0 1000\n1 compute 3e10\n1 recv 0 0 1000\n");
  TraceReplayRequest request = profile_request(file);
  request.machine.protocol.eager_bytes = 0;
  const TimeProfile profile = profiled(request);  // the answer takes a second, and then the message
  CHECK(profile.end.seconds() == 5);
  CHECK(seconds(profile.ranks[0].time, Spent::late_receiver) == 3);
  CHECK(seconds(profile.ranks[0].time, Spent::transfer) == 2);
  CHECK(seconds(profile.ranks[1].time, Spent::transfer) == 2);
  CHECK(seconds(profile.path, Spent::computation) == 3);
  CHECK(seconds(profile.path, Spent::transfer) == 2);
  CHECK(profile.pairs[0].late_receiver.seconds() == 3);
}

TEST_CASE("profile: a large message to a waiting receive has a late sender", "[app][trace]") {
  const TemporaryFile file("0 compute 2e10\n0 send 1 0 1000\n1 recv 0 0 1000\n");
  TraceReplayRequest request = profile_request(file);
  request.machine.protocol.eager_bytes = 0;
  const TimeProfile profile = profiled(request);
  CHECK(profile.end.seconds() == 5);  // announcement, answer, message
  CHECK(seconds(profile.ranks[1].time, Spent::late_sender) == 2);
  CHECK(seconds(profile.ranks[1].time, Spent::transfer) == 3);
  CHECK(seconds(profile.ranks[0].time, Spent::transfer) == 3);
  CHECK(seconds(profile.path, Spent::computation) == 2);
}

TEST_CASE("profile: a synchronous send waits for its receive", "[app][trace]") {
  const TemporaryFile file("0 ssend 1 0 1000\n1 compute 3e10\n1 recv 0 0 1000\n");
  const TimeProfile profile = profiled(profile_request(file));
  CHECK(profile.end.seconds() == 3);
  CHECK(seconds(profile.ranks[0].time, Spent::late_receiver) == 3);
  CHECK(seconds(profile.path, Spent::computation) == 3);
}

TEST_CASE("profile: members of a barrier wait for the last one", "[app][trace]") {
  const TemporaryFile file("0 compute 1e10\n1 compute 2e10\n2 compute 4e10\n0 barrier\n1 barrier\n2 barrier\n");
  TraceReplayRequest request = profile_request(file);
  request.machine.models.values["delay"] = "0";
  const TimeProfile profile = profiled(request);
  CHECK(seconds(profile.ranks[0].time, Spent::late_member) == 3);
  CHECK(seconds(profile.ranks[1].time, Spent::late_member) == 2);
  CHECK(seconds(profile.ranks[2].time, Spent::late_member) == 0);
  CHECK(profile.ranks[2].path.all().seconds() == 4);
  CHECK(row(profile, "barrier").operations == 3);
}

TEST_CASE("profile: a barrier takes time after its last member", "[app][trace]") {
  const TemporaryFile file("0 compute 1e10\n1 compute 4e10\n0 barrier\n1 barrier\n");
  TraceReplayRequest request = profile_request(file);
  request.machine.collectives = "barrier=dissemination";
  const TimeProfile profile = profiled(request);
  CHECK(profile.end.seconds() == 5);
  CHECK(seconds(profile.ranks[0].time, Spent::late_member) == 3);
  CHECK(seconds(profile.ranks[0].time, Spent::collective) == 1);
  CHECK(seconds(profile.path, Spent::collective) == 1);
  CHECK(seconds(profile.path, Spent::computation) == 4);
}

TEST_CASE("profile: a broadcast waits for its root only", "[app][trace]") {
  const TemporaryFile file("0 compute 2e10\n1 compute 1e10\n2 compute 4e10\n0 bcast 8\n1 bcast 8\n2 bcast 8\n");
  TraceReplayRequest request = profile_request(file);
  request.machine.models.values["delay"] = "0";
  request.machine.collectives = "broadcast=linear";
  const TimeProfile profile = profiled(request);
  CHECK(seconds(profile.ranks[1].time, Spent::late_member) == 1);
  CHECK(seconds(profile.ranks[2].time, Spent::late_member) == 0);
  CHECK(profile.ranks[2].path.all().seconds() == 4);
}

TEST_CASE("profile: only the root of a reduction waits", "[app][trace]") {
  const TemporaryFile file("0 compute 1e10\n1 compute 3e10\n0 reduce 8 0\n1 reduce 8 0\n");
  TraceReplayRequest request = profile_request(file);
  request.machine.collectives = "reduce=linear";
  const TimeProfile profile = profiled(request);
  CHECK(profile.end.seconds() == 4);
  CHECK(seconds(profile.ranks[0].time, Spent::late_member) == 2);
  CHECK(seconds(profile.ranks[0].time, Spent::collective) == 1);
  CHECK(seconds(profile.ranks[1].time, Spent::late_member) == 0);
}

TEST_CASE("profile: a wait for a nonblocking collective belongs to its last member", "[app][trace]") {
  const TemporaryFile file(
      "0 ibarrier\n0 compute 1e10\n0 wait 0 0 -4446\n1 compute 3e10\n1 ibarrier\n1 wait 0 0 -4446\n");
  TraceReplayRequest request = profile_request(file);
  request.machine.models.values["delay"] = "0";
  const TimeProfile profile = profiled(request);
  CHECK(profile.end.seconds() == 3);
  CHECK(seconds(profile.ranks[0].time, Spent::late_member) == 2);
  CHECK(seconds(profile.path, Spent::computation) == 3);
}

TEST_CASE("profile: what messages cost a rank is overhead", "[app][trace]") {
  const TemporaryFile file("0 send 1 0 1000\n1 recv 0 0 1000\n1 compute 1e10\n");
  TraceReplayRequest request = profile_request(file);
  request.machine.protocol.costs.send = parse_size_cost("0:0.5:0").value();
  request.machine.protocol.costs.receive = parse_size_cost("0:0.25:0").value();
  const TimeProfile profile = profiled(request);
  CHECK(profile.end.seconds() == 2.75);
  CHECK(seconds(profile.ranks[0].time, Spent::overhead) == 0.5);
  CHECK(seconds(profile.ranks[1].time, Spent::late_sender) == 0.5);
  CHECK(seconds(profile.ranks[1].time, Spent::overhead) == 0.25);
  CHECK(profile.path.all().seconds() == 2.75);
  CHECK(seconds(profile.path, Spent::overhead) == 0.75);
}

TEST_CASE("profile: the critical path takes the simulated time, and ranks their own", "[app][trace]") {
  std::string text;
  for (int rank = 0; rank < 8; ++rank)
    for (int step = 0; step < 12; ++step) {
      const std::string name = std::to_string(rank);
      text += name + " compute " + std::to_string(100000 * (1 + (rank * 5 + step * 3) % 11)) + "\n";
      text += name + " irecv " + std::to_string((rank + 7) % 8) + " 1 100000\n";
      text += name + " isend " + std::to_string((rank + 1) % 8) + " 1 " + std::to_string(step * 9000) + "\n";
      text += name + " waitall\n" + name + (step % 3 == 0 ? " allreduce 1000 500\n" : " bcast 5000 2\n");
    }
  const TemporaryFile file(text);
  TraceReplayRequest request;
  request.file = file.path();
  auto result = profile_trace(request);
  REQUIRE(result);
  const TimeProfile& profile = *result.value().profile;
  CHECK(profile.path.all().picoseconds == profile.end.picoseconds);
  Duration by_rank, by_row, path_of_rows;
  for (const ProfileRank& rank : profile.ranks) by_rank = by_rank + rank.time.all();
  for (const ProfileRow& each : profile.rows) {
    by_row = by_row + each.time.all();
    path_of_rows = path_of_rows + each.path.all();
  }
  std::int64_t ends = 0;
  for (const ActorResult& actor : result.value().replay.run.result.actors) ends += actor.stopped.picoseconds;
  CHECK(by_rank.picoseconds == ends);
  CHECK(by_row.picoseconds == ends);
  CHECK(path_of_rows.picoseconds == profile.end.picoseconds);
}
