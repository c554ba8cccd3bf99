// SPDX-License-Identifier: MIT
//
// Recordings of known programs: activities and their dates, matches of messages, last calls of ranks.
#include "app/recording/recorder.hpp"

#include <catch2/catch.hpp>

#include "simcore/fiber_program.hpp"
#include "tests/support/actor_calls.hpp"
#include "tests/support/temporary_file.hpp"

using namespace rehearse;
using namespace rehearse::app;
using namespace rehearse::testing;

namespace {

using Body = std::function<void(ActorCalls&)>;

// Two hosts of 1 Gflop/s, 1 ms and 1 MB/s apart.
Platform two_hosts() {
  const TemporaryFile file("<platform version='4.1'><zone id='z' routing='Full'><host id='a' speed='1Gf'/>"
                           "<host id='b' speed='1Gf'/><link id='l' bandwidth='1MBps' latency='1ms'/>"
                           "<route src='a' dst='b'><link_ctn id='l'/></route></zone></platform>");
  return std::move(make_platform(file.path()).value());
}

Recording record(std::vector<Body> bodies) {
  std::vector<std::function<void()>> functions;
  for (const Body& body : bodies)
    functions.push_back([body] {
      ActorCalls calls;
      body(calls);
    });
  FiberProgram program(std::move(functions));
  const Platform platform = two_hosts();
  auto costs = std::move(make_cost_model({.network = "raw"}, platform).value());
  Recorder recorder(program, platform, costs.get());
  EngineOptions options;
  options.timeline = &recorder;
  Engine engine(program, platform, std::move(costs), options);
  auto result = engine.run();
  REQUIRE(result);
  return recorder.finish(result.value());
}

std::int64_t in_picoseconds(double seconds) { return Duration::from_seconds(seconds).picoseconds; }

}  // namespace

TEST_CASE("recorder: an eager message has its dates, its sender and its receiver", "[cli][recording]") {
  const Recording recording = record({[](ActorCalls& calls) {
                                        calls.compute(1e6);
                                        calls.send_bytes(1, 1000, 7);
                                      },
                                      [](ActorCalls& calls) { calls.receive(); }});
  REQUIRE(recording.messages.size() == 1);
  const RecordedMessage& message = recording.messages[0];
  CHECK(message.source == 0);
  CHECK(message.destination == 1);
  CHECK(message.tag == 7);
  CHECK(message.bytes == 1000);
  CHECK(message.sent.picoseconds == in_picoseconds(0.001));
  CHECK(message.arrived.picoseconds == in_picoseconds(0.003));  // latency, and 1000 bytes at 1 MB/s
  REQUIRE(message.receiver != none);
  CHECK(recording.intervals[message.sender].doing == Doing::send);
  CHECK(recording.intervals[message.receiver].doing == Doing::receive);
  CHECK(recording.intervals[message.receiver].rank == 1);
  CHECK(recording.intervals[message.receiver].end == message.arrived);
  CHECK(recording.texts[recording.intervals[message.sender].text] == "send");
  CHECK(recording.intervals[0].doing == Doing::computation);
  CHECK(recording.intervals[0].end.picoseconds == in_picoseconds(0.001));
  CHECK(recording.end == message.arrived);
}

TEST_CASE("recorder: a large message leaves at its send and arrives with its data", "[cli][recording]") {
  const Recording recording =
      record({[](ActorCalls& calls) { calls.send_bytes(1, 100'000); }, [](ActorCalls& calls) { calls.receive(); }});
  REQUIRE(recording.messages.size() == 1);
  CHECK(recording.messages[0].sent.picoseconds == 0);
  CHECK(recording.messages[0].arrived.picoseconds == in_picoseconds(0.103));  // there, back, latency and data
  CHECK(recording.intervals[recording.messages[0].sender].end == recording.messages[0].arrived);
}

TEST_CASE("recorder: messages that nobody receives and ranks that wait forever are recorded", "[cli][recording]") {
  const Recording recording = record({[](ActorCalls& calls) {
                                        calls.send(1, "lost", 3);
                                        calls.receive(1);
                                      },
                                      [](ActorCalls& calls) { calls.receive(0, 4); }});
  REQUIRE(recording.messages.size() == 1);
  CHECK(recording.messages[0].receiver == none);
  CHECK(recording.messages[0].arrived == recording.end);
  REQUIRE(recording.stops.size() == 2);
  for (const std::uint32_t rank : {0U, 1U}) {
    const RecordedStop& stop = recording.stops[rank];
    CHECK(stop.state == ActorOutcome::State::blocked);
    CHECK(stop.waits_for == std::vector<std::uint32_t>{1 - rank});
    REQUIRE(stop.interval != none);
    CHECK(recording.intervals[stop.interval].is_open);
    CHECK(recording.intervals[stop.interval].rank == rank);
    CHECK(recording.intervals[stop.interval].doing == Doing::receive);
  }
}

TEST_CASE("recorder: members of a collective belong together, each call of a context to its own", "[cli][recording]") {
  const Body body = [](ActorCalls& calls) {
    calls.barrier();
    calls.barrier();
  };
  const Recording recording = record({body, body});
  REQUIRE(recording.collectives.size() == 2);
  CHECK(recording.collectives[1].number == 1);
  CHECK(recording.texts[recording.collectives[0].name] == "barrier");
  std::vector<int> members(2);
  for (const Interval& interval : recording.intervals)
    if (interval.collective != none) ++members[interval.collective];
  CHECK(members == std::vector<int>{2, 2});
}

TEST_CASE("recorder: a message inside a collective has its dates and belongs to no call", "[cli][recording]") {
  const Recording recording = record({[](ActorCalls& calls) {
                                        calls.compute(1e6);
                                        calls.barrier();
                                      },
                                      [](ActorCalls& calls) { calls.barrier(); }});
  CHECK(recording.messages.empty());
  REQUIRE(recording.passages.size() == 2);
  const RecordedPassage& first = recording.passages[0];
  CHECK(first.source == 1 - first.destination);
  CHECK(recording.passages[1].source == first.destination);
  for (const RecordedPassage& passage : recording.passages) {
    const double began = passage.source == 0 ? 0.001 : 0;
    CHECK(passage.sent.picoseconds == in_picoseconds(began));
    CHECK(passage.arrived.picoseconds == in_picoseconds(began + 0.001));  // the latency; no data
  }
  CHECK(recording.passages_more == 0);
}

TEST_CASE("recorder: links have the rate of their messages, hosts have their work", "[cli][recording]") {
  const Recording recording = record({[](ActorCalls& calls) {
                                        calls.compute(2e6);
                                        calls.send_bytes(1, 50'000);
                                      },
                                      [](ActorCalls& calls) { calls.receive(); }});
  REQUIRE(recording.links.size() == 1);
  double bytes = 0;
  for (const float rate : recording.links[0].rates) bytes += rate * recording.slice.seconds();
  CHECK(bytes == Approx(50'000).epsilon(0.001));
  REQUIRE(recording.host_flops.size() == 2);
  CHECK(recording.host_flops[0] == Approx(2e6));
  CHECK(recording.host_flops[1] == 0);
  CHECK(recording.edges.size() == 2);  // host, link, host
}

TEST_CASE("recorder: unsuccessful polls at one date are one interval", "[cli][recording]") {
  const Recording recording = record({[](ActorCalls& calls) {
                                        const RequestId request = calls.post(1);
                                        for (int i = 0; i < 5; ++i) calls.test(request);
                                        calls.wait_all({request});
                                      },
                                      [](ActorCalls& calls) { calls.send(0, "x"); }});
  std::uint32_t times = 0;
  for (const Interval& interval : recording.intervals)
    if (interval.rank == 0 && interval.doing == Doing::wait) times = std::max(times, interval.times);
  CHECK(times == 5);
}
