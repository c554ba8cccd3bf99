// SPDX-License-Identifier: MIT
//
// When messages leave and arrive: eager ones, those that announce themselves, those inside a host, and what they cost
// the actors. Dates are exact.
#include "simcore/message_costs.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/collective_schedule.hpp"
#include "simcore/engine.hpp"
#include "simcore/fiber_program.hpp"
#include "tests/support/actor_calls.hpp"
#include "tests/support/temporary_file.hpp"

using namespace rehearse;
using namespace rehearse::testing;

namespace {

constexpr double latency = 0.001;
constexpr double byte_seconds = 1e-6;

// Two hosts, 1 ms and 1 MB/s apart; messages inside a host: 3 ms and 2 MB/s on the first, nobody said of the second.
Platform two_hosts() {
  const TemporaryFile file(
      "<platform version='4.1'><zone id='z' routing='Full'><host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>"
      "<link id='l' bandwidth='1MBps' latency='1ms' sharing_policy='FATPIPE'/>"
      "<link id='memory' bandwidth='2MBps' latency='3ms' sharing_policy='FATPIPE'/>"
      "<route src='a' dst='b'><link_ctn id='l'/></route><route src='a' dst='a'><link_ctn id='memory'/></route>"
      "</zone></platform>");
  return std::move(make_platform(file.path()).value());
}

struct Dates {
  double sent = -1, received = -1;
};

// A message of so many bytes that is sent at one date and received at another.
struct Case {
  std::size_t bytes = 1000;
  double send_at = 0, receive_at = 0;
  std::uint32_t sender_host = 0, receiver_host = 1;
  EngineOptions options = {};
  ModelOptions models = {.network = "raw"};

  Dates dates() {
    Dates found;
    FiberProgram program({[&] {
                            ActorCalls calls;
                            calls.sleep(send_at);
                            calls.send_bytes(1, bytes);
                            found.sent = calls.now();
                          },
                          [&] {
                            ActorCalls calls;
                            calls.sleep(receive_at);
                            calls.receive(0);
                            found.received = calls.now();
                          }});
    const Platform platform = two_hosts();
    options.clock_seconds = 0;
    options.placement = {{sender_host}, {receiver_host}};
    Engine engine(program, platform, std::move(make_cost_model(models, platform).value()), options);
    const auto result = engine.run();
    if (!result) FAIL(result.error().text);
    return found;
  }
};

MessageCosts costs(const std::string& send, const std::string& started, const std::string& receive) {
  return {parse_size_cost(send).value(), parse_size_cost(started).value(), parse_size_cost(receive).value()};
}

}  // namespace

TEST_CASE("messages: an eager one leaves at its send and waits at its destination", "[simcore][engine]") {
  const Dates early = Case{.receive_at = 0}.dates();
  CHECK(early.sent == 0);
  CHECK(early.received == Approx(latency + 1000 * byte_seconds).epsilon(1e-12));
  const Dates late = Case{.receive_at = 1}.dates();
  CHECK(late.sent == 0);
  CHECK(late.received == 1);
}

TEST_CASE("messages: a large one is announced and answered before its data leave", "[simcore][engine]") {
  constexpr double data = latency + 100'000 * byte_seconds;
  const Dates early = Case{.bytes = 100'000}.dates();
  CHECK(early.received == Approx(2 * latency + data).epsilon(1e-12));
  CHECK(early.sent == early.received);
  // The announcement has come; the receive only has to answer it.
  const Dates late = Case{.bytes = 100'000, .receive_at = 1}.dates();
  CHECK(late.received == Approx(1 + latency + data).epsilon(1e-12));
  CHECK(late.sent == late.received);
}

TEST_CASE("messages: without an answer the data leaves when the receive is posted", "[simcore][engine]") {
  constexpr double data = latency + 100'000 * byte_seconds;
  Case early{.bytes = 100'000}, late{.bytes = 100'000, .receive_at = 1};
  early.options.handshake = late.options.handshake = Handshake::announced;
  CHECK(early.dates().received == Approx(latency + data).epsilon(1e-12));
  CHECK(late.dates().received == Approx(1 + data).epsilon(1e-12));
}

TEST_CASE("messages: the threshold itself is eager, one more byte is not", "[simcore][engine]") {
  for (const std::uint64_t threshold : {0u, 1u, 1000u, 65536u})
    for (const std::uint64_t bytes : {threshold, threshold + 1}) {
      if (bytes == 0) continue;
      Case one{.bytes = bytes, .receive_at = 1};
      one.options.eager_bytes = threshold;
      const Dates dates = one.dates();
      CHECK((dates.sent == 0) == (bytes == threshold));
      CHECK((dates.received == 1) == (bytes == threshold));
    }
}

TEST_CASE("messages: inside a host they take the platform's loopback, or the model's", "[simcore][engine]") {
  const auto inside = [](std::uint32_t host, std::size_t bytes, ModelOptions models) {
    return Case{.bytes = bytes, .sender_host = host, .receiver_host = host, .models = models}.dates().received;
  };
  const ModelOptions raw{.network = "raw"};
  CHECK(inside(0, 1000, raw) == Approx(0.003 + 1000 / 2e6).epsilon(1e-12));
  CHECK(inside(0, 100'000, raw) == Approx(3 * 0.003 + 100'000 / 2e6).epsilon(1e-12));
  CHECK(inside(1, 1000, raw) == Approx(1000 / 10e9).epsilon(1e-6));
  CHECK(inside(1, 100'000, raw) == Approx(100'000 / 10e9).epsilon(1e-6));
  ModelOptions slow = raw;
  slow.loopback_bandwidth = 1e9;
  slow.loopback_latency = 1e-6;
  CHECK(inside(1, 1000, slow) == Approx(1e-6 + 1e-6).epsilon(1e-6));
  CHECK(inside(1, 100'000, slow) == Approx(3e-6 + 1e-4).epsilon(1e-6));
}

TEST_CASE("messages: an actor's message to itself arrives like one inside its host", "[simcore][engine]") {
  double received = -1;
  FiberProgram program({[&] {
    ActorCalls calls;
    const RequestId request = calls.post(0);
    calls.send_bytes(0, 1000);
    calls.wait_all({request});
    received = calls.now();
  }});
  const Platform platform = two_hosts();
  EngineOptions options;
  options.clock_seconds = 0;
  Engine engine(program, platform, std::move(make_cost_model({.network = "raw"}, platform).value()), options);
  REQUIRE(engine.run());
  CHECK(received == Approx(0.003 + 1000 / 2e6).epsilon(1e-12));
}

TEST_CASE("messages: sends and receives cost the actors the times in the tables", "[simcore][engine]") {
  // 10 us and 1 ns a byte to send, 5 us and 2 ns a byte to receive.
  const MessageCosts some = costs("0:10e-6:1e-9", "0:0:0", "0:5e-6:2e-9");
  Case eager;
  eager.options.message_costs = some;
  const Dates small = eager.dates();
  CHECK(small.sent == Approx(11e-6).epsilon(1e-12));
  CHECK(small.received == Approx(11e-6 + latency + 1000 * byte_seconds + 7e-6).epsilon(1e-12));
  // Whoever waits for the receive pays nothing on top of it.
  Case large{.bytes = 100'000};
  large.options.message_costs = some;
  const double leaves = 10e-6 + 100e-6;
  CHECK(large.dates().received == Approx(leaves + 3 * latency + 100'000 * byte_seconds).epsilon(1e-12));
}

TEST_CASE("messages: nonblocking sends have a separate table, and each completed receive has its cost",
          "[simcore][engine]") {
  double started = -1, received = -1;
  FiberProgram program({[&] {
                          ActorCalls calls;
                          std::vector<RequestId> sends;
                          for (int i = 0; i < 3; ++i) sends.push_back(calls.start_send(1, "1234567890"));
                          started = calls.now();
                          calls.wait_all(sends);
                        },
                        [&] {
                          ActorCalls calls;
                          std::vector<RequestId> receives;
                          for (int i = 0; i < 3; ++i) receives.push_back(calls.post(0));
                          calls.sleep(1);
                          calls.wait_all(receives);
                          received = calls.now();
                        }});
  const Platform platform = two_hosts();
  EngineOptions options;
  options.clock_seconds = 0;
  options.message_costs = costs("0:1:0", "0:2e-3:0;10:1e-3:1e-6", "5:1e-4:0");
  Engine engine(program, platform, std::move(make_cost_model({.network = "raw"}, platform).value()), options);
  auto result = engine.run();
  REQUIRE(result);
  CHECK(started == Approx(3 * (1e-3 + 10e-6)).epsilon(1e-12));
  CHECK(received == Approx(1 + 3e-4).epsilon(1e-12));
  CHECK(result.value().actors[0].communication_seconds == Approx(started).epsilon(1e-9));
}

TEST_CASE("messages: those of collectives cost the members the same, one after the other", "[simcore][engine]") {
  const Platform platform = two_hosts();
  // When each of three actors, the first one alone on its host, has ended a collective at its root 0.
  const auto ends = [&](std::string_view rules, std::string_view name, Flow flow, std::string_view content) {
    std::vector<double> dates(3, -1);
    std::vector<std::function<void()>> bodies;
    for (std::uint32_t rank = 0; rank < 3; ++rank)
      bodies.emplace_back([&, rank] {
        ActorCalls calls;
        calls.collective(name, flow, 0, rank == 0 || flow == Flow::all_to_root ? content : "");
        dates[rank] = calls.now();
      });
    FiberProgram program(bodies);
    EngineOptions options;
    options.clock_seconds = 0;
    options.eager_bytes = 1000;
    options.placement = {{0}, {1}, {1}};
    options.message_costs = costs("0:8e-5:0", "0:1e-5:1e-8", "0:3e-5:0");
    const auto schedules = std::move(make_schedules(rules, {}).value());
    options.collectives = schedules.get();
    Engine engine(program, platform, std::move(make_cost_model({.network = "raw"}, platform).value()), options);
    if (const auto result = engine.run(); !result) FAIL(result.error().text);
    return dates;
  };
  const std::string small(500, 'x'), large(2000, 'x');
  constexpr double wire = latency + 500 * byte_seconds, started = 1e-5 + 500e-8, receive = 3e-5;

  // The root starts both sends, and ends with the second one.
  const auto broadcast = ends("broadcast=linear,generic", "broadcast", Flow::root_to_all, small);
  CHECK(broadcast[0] == Approx(2 * started).epsilon(1e-9));
  CHECK(broadcast[1] == Approx(started + wire + receive).epsilon(1e-9));
  CHECK(broadcast[2] == Approx(2 * started + wire + receive).epsilon(1e-9));

  // Each sender has one blocking send. The root takes in one message after the other.
  const auto gather = ends("gather=linear,generic", "gather", Flow::all_to_root, small);
  CHECK(gather[1] == Approx(8e-5).epsilon(1e-9));
  CHECK(gather[0] == Approx(8e-5 + wire + 2 * receive).epsilon(1e-9));

  // Large messages are announced when their sender has spent its time, and cost the receiver nothing.
  const auto announced = ends("broadcast=linear,generic", "broadcast", Flow::root_to_all, large);
  constexpr double started_large = 1e-5 + 2000e-8, transfer = latency + 2000 * byte_seconds;
  CHECK(announced[1] >= started_large + transfer);
  CHECK(announced[2] - announced[1] == Approx(started_large).epsilon(1e-9));
}

TEST_CASE("messages: tables of costs are read, and other texts are refused with the accepted form", "[simcore]") {
  const SizeCost cost = parse_size_cost("10:1e-6:0;100:2e-6:1e-9").value();
  CHECK(cost.of(9) == Duration{});
  CHECK(cost.of(10) == Duration::from_seconds(1e-6));
  CHECK(cost.of(99) == Duration::from_seconds(1e-6));
  CHECK(cost.of(100) == Duration::from_seconds(2.1e-6));
  for (const char* text :
       {"", "1", "1:2", "a:1:1", "1:-1:0", "1:1:0;1:1:0", "2:1:0;1:1:0", "1:1:0:1", "0:nan:0", "0:1e9:0", "0:0:2"}) {
    const auto bad = parse_size_cost(text);
    REQUIRE_FALSE(bad);
    CHECK(bad.error().text.find("accepted: BYTES:SECONDS:SECONDS_PER_BYTE") != std::string::npos);
  }
}
