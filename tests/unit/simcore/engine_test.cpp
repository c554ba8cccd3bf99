// SPDX-License-Identifier: MIT
//
// The timed driver: protocols and their dates, waiting and polling, forced decisions, endings.
#include "simcore/engine.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <chrono>

#include "simcore/fiber_program.hpp"
#include "tests/support/actor_calls.hpp"
#include "tests/support/temporary_file.hpp"

namespace engine_test {

using namespace rehearse;
using namespace rehearse::testing;

namespace {

using Body = std::function<void(ActorCalls&)>;
using State = ActorOutcome::State;

// Any number of hosts, each pair 1 ms and 1 MB/s apart, without sharing; model raw.
Platform even_platform() {
  std::string text = "<platform version='4.1'><zone id='z' routing='Full'>"
                     "<link id='l' bandwidth='1MBps' latency='1ms' sharing_policy='FATPIPE'/>";
  for (int i = 0; i < 4; ++i) text += "<host id='h" + std::to_string(i) + "' speed='1Gf'/>";
  for (int i = 0; i < 4; ++i)
    for (int j = i; j < 4; ++j)
      text += "<route src='h" + std::to_string(i) + "' dst='h" + std::to_string(j) + "'><link_ctn id='l'/></route>";
  const TemporaryFile file(text + "</zone></platform>");
  return std::move(make_platform(file.path()).value());
}

Result<RunResult> try_run(std::vector<Body> bodies, EngineOptions options = {},
                          const Platform& platform = even_platform()) {
  std::vector<std::function<void()>> functions;
  for (const Body& body : bodies)
    functions.push_back([body] {
      ActorCalls calls;
      body(calls);
    });
  FiberProgram program(std::move(functions));
  Engine engine(program, platform, std::move(make_cost_model({.network = "raw"}, platform).value()),
                std::move(options));
  return engine.run();
}

RunResult run(std::vector<Body> bodies, EngineOptions options = {}, const Platform& platform = even_platform()) {
  auto result = try_run(std::move(bodies), std::move(options), platform);
  if (!result) FAIL(result.error().text);
  return std::move(result.value());
}

bool all_ended(const RunResult& result) {
  for (const ActorOutcome& actor : result.outcome.actors)
    if (actor.state != State::ended) return false;
  return true;
}

EngineOptions forced(const std::string& text) {
  EngineOptions options;
  options.forced = parse_schedule(text).value();
  return options;
}

const Body nothing = [](ActorCalls&) {};

}  // namespace

TEST_CASE("engine: an eager send is over at once and arrives after its transfer", "[simcore][engine]") {
  double sent = -1, received = -1;
  std::string text;
  const RunResult result = run({[&](ActorCalls& calls) {
                                  calls.send(1, std::string(1000, 'x'), 7);
                                  sent = calls.now();
                                },
                                [&](ActorCalls& calls) {
                                  text = calls.receive(0, 7).text;
                                  received = calls.now();
                                }});
  CHECK(all_ended(result));
  CHECK(sent == Approx(1e-8));
  CHECK(received == Approx(0.002 + 1e-8));
  CHECK(text == std::string(1000, 'x'));
  CHECK(result.actors[0].messages == 1);
  CHECK(result.actors[0].bytes == 1000);
  CHECK(result.actors[1].communication_seconds == Approx(0.002));
  CHECK(result.end.seconds() == Approx(0.002 + 1e-8));
}

TEST_CASE("engine: an early eager message waits at its destination", "[simcore][engine]") {
  double received = -1;
  run({[](ActorCalls& calls) { calls.send_bytes(1, 1000); },
       [&](ActorCalls& calls) {
         calls.sleep(1);
         calls.receive();
         received = calls.now();
       }});
  CHECK(received == Approx(1 + 1e-8).epsilon(1e-12));
}

TEST_CASE("engine: a large send ends with its receive, which starts the transfer", "[simcore][engine]") {
  double sent = -1, received = -1;
  run({[&](ActorCalls& calls) {
         calls.send_bytes(1, 100000);
         sent = calls.now();
       },
       [&](ActorCalls& calls) {
         calls.sleep(1);
         calls.receive();
         received = calls.now();
       }});
  CHECK(sent == Approx(1 + 0.001 + 0.001 + 0.1));
  CHECK(received == Approx(1 + 0.001 + 0.001 + 0.1));
  run({[&](ActorCalls& calls) { calls.send_bytes(1, 100000); },
       [&](ActorCalls& calls) {
         calls.receive();
         received = calls.now();
       }});
  CHECK(received == Approx(0.001 + 0.001 + 0.001 + 0.1));
}

TEST_CASE("engine: buffering decides whether a head-to-head exchange blocks", "[simcore][engine]") {
  const Body exchange = [](ActorCalls& calls) {
    const std::uint32_t other = 1 - current_actor().value;
    calls.send(other, "hello", 3);
    calls.receive(other, 3);
  };
  EngineOptions options;
  CHECK(all_ended(run({exchange, exchange}, options)));
  options.eager_bytes = 0;
  const RunResult blocked = run({exchange, exchange}, options);
  for (std::uint32_t i = 0; i < 2; ++i) {
    CHECK(blocked.outcome.actors[i].state == State::blocked);
    CHECK(blocked.outcome.actors[i].waits_for == std::vector<RequestId>{{0}});
    const PendingRequest& send = blocked.outcome.pending.at(i);
    CHECK(send.kind == PendingRequest::Kind::send);
    CHECK(send.actor.value == i);
    CHECK(send.destination.value == 1 - i);
    CHECK(send.tag == 3);
    CHECK(send.bytes == 5);
    CHECK_FALSE(send.completed);
    CHECK(blocked.actors[i].where);
  }
  options.eager_bytes = EngineOptions::infinite;
  CHECK(all_ended(run({exchange, exchange}, options)));
}

TEST_CASE("engine: a synchronous send waits for its receive, a buffered one for nothing", "[simcore][engine]") {
  double synchronous = -1, buffered = -1;
  run({[&](ActorCalls& calls) {
         calls.send(1, std::string(200000, 'x'), 1, SendMode::buffered);
         buffered = calls.now();
         calls.send(1, "x", 2, SendMode::synchronous);
         synchronous = calls.now();
       },
       [](ActorCalls& calls) {
         calls.sleep(2);
         calls.receive(0, 2);
         calls.receive(0, 1);
       }});
  CHECK(buffered < 1e-6);
  CHECK(synchronous == Approx(2));
}

TEST_CASE("engine: a bounded buffer holds sends back until there is room", "[simcore][engine]") {
  std::vector<double> sent;
  const std::vector<Body> bodies{[&](ActorCalls& calls) {
                                   for (int i = 0; i < 4; ++i) {
                                     calls.send_bytes(1, 40, i);
                                     sent.push_back(calls.now());
                                   }
                                 },
                                 [](ActorCalls& calls) {
                                   calls.sleep(1);
                                   calls.receive(0, 1);
                                   calls.sleep(1);
                                   calls.receive(0, 2);
                                 }};
  EngineOptions options;
  options.buffer_bytes = 100;
  const RunResult result = run(bodies, options);
  CHECK(all_ended(result));
  CHECK(sent[1] < 0.1);
  CHECK(sent[2] == Approx(1).epsilon(1e-4));
  CHECK(sent[3] == Approx(2).epsilon(1e-4));
  options.buffer_bytes = 70;
  const RunResult blocked = run(bodies, options);
  CHECK(blocked.outcome.actors[0].state == State::blocked);
  CHECK(blocked.outcome.actors[0].waits_for == std::vector<RequestId>{{3}});
}

TEST_CASE("engine: messages of one channel arrive in order although a later one is faster", "[simcore][engine]") {
  std::vector<std::size_t> sizes;
  run({[](ActorCalls& calls) {
         calls.send_bytes(1, 60000, 1);
         calls.send_bytes(1, 1, 2);
       },
       [&](ActorCalls& calls) {
         for (int i = 0; i < 2; ++i) sizes.push_back(calls.receive().text.size());
       }});
  CHECK(sizes == std::vector<std::size_t>{60000, 1});
}

TEST_CASE("engine: delivery between different actors is not causal", "[simcore][engine]") {
  std::string order;
  run({[&](ActorCalls& calls) {
         order += calls.receive().text.substr(0, 1);
         order += calls.receive().text.substr(0, 1);
       },
       [](ActorCalls& calls) {
         calls.send(0, std::string(50000, 'a'));
         calls.send(2, "go");
       },
       [](ActorCalls& calls) {
         calls.receive(1);
         calls.send(0, "b");
       }});
  CHECK(order == "ba");
}

TEST_CASE("engine: contexts do not mix", "[simcore][engine]") {
  std::string text;
  const RunResult result = run({[](ActorCalls& calls) {
                                  calls.context = {5};
                                  calls.send(1, "five");
                                  calls.context = {6};
                                  calls.send(1, "six");
                                },
                                [&](ActorCalls& calls) {
                                  calls.context = {6};
                                  text = calls.receive().text;
                                }});
  CHECK(text == "six");
  REQUIRE(result.outcome.pending.size() == 1);
  CHECK(result.outcome.pending[0].context.value == 5);
  CHECK(result.outcome.pending[0].completed);
}

TEST_CASE("engine: waiting for all, any and some", "[simcore][engine]") {
  std::vector<std::uint32_t> any, some, all;
  double after_any = 0, after_all = 0;
  run({[&](ActorCalls& calls) {
         const std::vector<RequestId> requests{calls.post(1), calls.post(2), calls.post(3)};
         any = calls.observe(requests, Quantifier::any, true);
         after_any = calls.now();
         calls.sleep(2.5 - after_any);
         some = calls.observe({requests[0], requests[2]}, Quantifier::some, true);
         all = calls.observe({calls.post(1), calls.post(2)}, Quantifier::all, true);
         after_all = calls.now();
       },
       [](ActorCalls& calls) {
         calls.sleep(2);
         calls.send(0, "1");
         calls.sleep(2);
         calls.send(0, "1");
       },
       [](ActorCalls& calls) {
         calls.sleep(1);
         calls.send(0, "2");
         calls.send(0, "2");
       },
       [](ActorCalls& calls) {
         calls.sleep(2);
         calls.send(0, "3");
       }});
  CHECK(any == std::vector<std::uint32_t>{1});
  CHECK(after_any == Approx(1.001).epsilon(1e-5));
  CHECK(some == std::vector<std::uint32_t>{0, 1});
  CHECK(all == std::vector<std::uint32_t>{0, 1});
  CHECK(after_all == Approx(4.001).epsilon(1e-5));
}

TEST_CASE("engine: a polling loop sees its message at the date at which a wait would have", "[simcore][engine]") {
  const auto ends = [](bool polls) {
    std::array<TimePoint, 4> dates;
    int answers = 0;
    const RunResult result =
        run({[&](ActorCalls& calls) {
               const RequestId request = calls.post(1), other = calls.post(2);
               const RequestId last = calls.post(1, 9);
               if (!polls) calls.wait_all({request});
               while (polls && !calls.test(request)) ++answers;
               dates[0] = ask(Clock{}).now;
               // A circle of different polls waits for whichever of them comes first.
               if (!polls) calls.observe({other, last}, Quantifier::any, true);
               while (polls && !calls.test(other) && !calls.probe(2, 4, false) && !calls.test(last)) ++answers;
               dates[1] = ask(Clock{}).now;
               if (!polls) calls.probe(2, 5, true);
               while (polls && !calls.probe(2, 5, false)) ++answers;
               dates[2] = ask(Clock{}).now;
               calls.receive(2, 5);
               calls.release(last);
             },
             [](ActorCalls& calls) {
               calls.sleep(1);
               calls.send(0, "x");
             },
             [](ActorCalls& calls) {
               calls.compute(2e9);
               calls.send(0, "x");
               calls.compute(3e9);
               calls.send(0, "x", 5);
             }});
    CHECK(all_ended(result));
    CHECK(answers < 200);
    dates[3] = result.end;
    return dates;
  };
  CHECK(ends(true) == ends(false));
}

TEST_CASE("engine: work between polls takes its time, and the polls take none", "[simcore][engine]") {
  double seen = 0;
  int steps = 0;
  const RunResult result = run({[&](ActorCalls& calls) {
                                  const RequestId request = calls.post(1);
                                  for (; steps < 100; ++steps) {
                                    calls.compute(1e7);
                                    calls.test(request);
                                  }
                                  seen = calls.now();
                                },
                                [](ActorCalls& calls) {
                                  calls.sleep(5);
                                  calls.send(0, "x");
                                }});
  CHECK(all_ended(result));
  CHECK(seen == Approx(1 + 1e-8).epsilon(1e-12));  // and a look at the clock
}

TEST_CASE("engine: a loop of polls that reads the clock keeps its deadline", "[simcore][engine]") {
  double given_up = 0;
  int polls = 0;
  const RunResult result = run({[&](ActorCalls& calls) {
                                  const RequestId request = calls.post(1);
                                  while (!calls.test(request) && (given_up = calls.now()) < 1) ++polls;
                                  calls.release(request);
                                },
                                [](ActorCalls& calls) {
                                  calls.sleep(5);
                                  calls.send(0, "x");
                                }});
  CHECK(all_ended(result));
  CHECK(given_up >= 1);
  CHECK(given_up < 1.08);
  CHECK(polls < 100'000);
}

TEST_CASE("engine: polling is reported when nothing can change any more, not repeated forever", "[simcore][engine]") {
  const RunResult result = run({[](ActorCalls& calls) {
                                  const RequestId request = calls.post(1);
                                  while (!calls.test(request)) {
                                  }
                                },
                                [](ActorCalls& calls) {
                                  while (!calls.probe(0, 4, false)) calls.now();
                                },
                                [](ActorCalls& calls) { calls.receive(0); }, nothing});
  CHECK(result.outcome.actors[0].state == State::blocked);
  CHECK(result.outcome.actors[0].polling);
  CHECK(result.outcome.actors[0].waits_for == std::vector<RequestId>{{0}});
  CHECK(result.outcome.actors[1].polling);
  CHECK_FALSE(result.outcome.actors[2].polling);
  CHECK(result.outcome.actors[2].state == State::blocked);
  CHECK(result.outcome.actors[3].state == State::ended);
}

TEST_CASE("engine: a loop with a limited number of polls is not reported as hanging", "[simcore][engine]") {
  const RunResult result = run({[](ActorCalls& calls) {
    const RequestId request = calls.post(0);
    for (int i = 0; i < 5000 && !calls.test(request); ++i) {
    }
    calls.release(request);
  }});
  CHECK(all_ended(result));
  REQUIRE(result.outcome.pending.size() == 1);
  CHECK(result.outcome.pending[0].released);
}

TEST_CASE("engine: computation, sleep and the clock take their time", "[simcore][engine]") {
  double time = 0;
  const RunResult result = run({[&](ActorCalls& calls) {
    calls.compute(2e9);
    calls.sleep(0.5);
    time = calls.now();
  }});
  CHECK(time == Approx(2.5));
  CHECK(result.actors[0].compute_seconds == Approx(2));
  CHECK(result.actors[0].communication_seconds == 0);
}

TEST_CASE("engine: a loop of clock reads that waits for a date needs few reads", "[simcore][engine]") {
  EngineOptions options;
  options.application_cost = GENERATE(ApplicationCost::none, ApplicationCost::measured);
  for (const double wanted : {1e-5, 1e-3, 0.2, 30.0}) {
    int looks = 0;
    double began = 0, ended = 0;
    const RunResult result = run({[&](ActorCalls& calls) {
                                   calls.sleep(1);
                                   began = calls.now();
                                   while ((ended = calls.now()) - began < wanted) ++looks;
                                 }},
                                 options);
    CHECK(all_ended(result));
    CHECK(ended - began >= wanted);
    // Where application code is measured, so is what interrupts it: that alone may be as long as a short wait.
    if (options.application_cost == ApplicationCost::none || wanted > 0.1) CHECK(ended - began < 1.07 * wanted);
    CHECK(looks < 40'000);
  }
}

TEST_CASE("engine: interruptions and slow looks do not end a row of clock reads", "[simcore][engine]") {
  EngineOptions options;
  options.application_cost = ApplicationCost::measured;
  options.reference_flops = 1e9;  // as hosts have
  const auto spin = [](std::chrono::nanoseconds length) {
    const auto end = std::chrono::steady_clock::now() + length;
    while (std::chrono::steady_clock::now() < end) {
    }
  };
  int looks = 0;
  const RunResult result = run({[&](ActorCalls& calls) {
                                 for (const double begin = calls.now(); calls.now() - begin < 0.2; ++looks) {
                                   if (looks % 2 == 0) spin(std::chrono::nanoseconds{100});
                                   if (looks % 1500 == 1499) spin(std::chrono::microseconds{36});
                                 }
                               }},
                               options);
  CHECK(all_ended(result));
  CHECK(looks < 40'000);
}

TEST_CASE("engine: clock reads with other operations between them all have the same cost", "[simcore][engine]") {
  double seen = 0;
  const RunResult result = run({[&](ActorCalls& calls) {
    for (int i = 0; i < 10; ++i) {
      const RequestId request = calls.post(0);
      for (int look = 0; look < 4000; ++look) seen = calls.now();
      calls.release(request);
    }
  }});
  CHECK(all_ended(result));
  CHECK(seen == Approx(40'000 * 1e-8));
}

TEST_CASE("engine: a deadline is kept where application code is measured, too", "[simcore][engine]") {
  double given_up = 0;
  EngineOptions options;
  options.application_cost = ApplicationCost::measured;
  const RunResult result = run({[&](ActorCalls& calls) { calls.receive(1); },
                                [&](ActorCalls& calls) {
                                  while ((given_up = calls.now()) < 1000) calls.probe(0, 3, false);
                                  calls.send(0, "late");
                                }},
                               options);
  CHECK(all_ended(result));
  CHECK(given_up >= 1000);
  CHECK(given_up < 1080);
}

TEST_CASE("engine: measured computation passes in simulated time", "[simcore][engine]") {
  EngineOptions options;
  options.application_cost = ApplicationCost::measured;
  options.reference_flops = 10e9;           // hosts have a tenth of that
  const auto spin = [](int milliseconds) {  // of processor time
    const auto now = [] {
      timespec time;
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
      return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    const double end = now() + 1e-3 * milliseconds;
    while (now() < end) {
    }
  };
  const RunResult result = run({[&](ActorCalls& calls) {
                                  spin(20);
                                  calls.now();
                                },
                                [&](ActorCalls& calls) {
                                  spin(5);
                                  {
                                    const LibraryCode library;
                                    spin(40);
                                  }
                                  calls.now();
                                }},
                               options);
  CHECK(result.actors[0].compute_seconds == Approx(0.2).epsilon(0.3));
  CHECK(result.actors[1].compute_seconds == Approx(0.05).epsilon(0.5));
  CHECK(result.end.seconds() >= 0.15);
}

TEST_CASE("engine: the cost of clock reads does not grow if the actor works between them", "[simcore][engine]") {
  EngineOptions options;
  options.application_cost = ApplicationCost::measured;
  options.reference_flops = 1e9;  // as hosts have
  const auto work = [] {          // some hundred nanoseconds
    static volatile std::uint64_t state = 1;
    std::uint64_t x = state;
    for (int turn = 0; turn < 300; ++turn) x = x * x + 3;
    state = x;
  };
  double took = 0;
  const RunResult result = run({[&](ActorCalls& calls) {
                                 const double began = calls.now();
                                 for (int look = 0; look < 20'000; ++look) {
                                   work();
                                   took = calls.now() - began;
                                 }
                               }},
                               options);
  CHECK(all_ended(result));
  CHECK(took > 20'000 * 1e-7);
  CHECK(took < 1);  // far less, but the machine may be busy; growing looks would be more than ten
}

TEST_CASE("engine: counted instructions pass in simulated time, or the reason against it is reported",
          "[simcore][engine]") {
  auto counts = [](int turns) -> Result<double> {
    auto meter = ApplicationMeter::make(ApplicationCost::instructions, 1e-9);
    if (!meter) return meter.error();
    meter.value()->go();
    for (volatile int turn = 0; turn < turns;) turn = turn + 1;
    meter.value()->pause();
    return meter.value()->take();
  };
  auto few = counts(1'000'000), many = counts(4'000'000);
  if (few) {
    CHECK(many.value() / few.value() == Approx(4).epsilon(0.02));
  } else {
    CHECK_THAT(few.error().text,
               Catch::Contains("instructions cannot be counted here: the ") && Catch::Contains("(--compute measured)"));
  }
}

TEST_CASE("engine: a forced receive takes the named message, others do not", "[simcore][engine]") {
  std::string order;
  const std::vector<Body> bodies{[&](ActorCalls& calls) {
                                   for (int i = 0; i < 3; ++i) order += calls.receive().text;
                                 },
                                 [](ActorCalls& calls) { calls.send(0, "1"); },
                                 [](ActorCalls& calls) {
                                   calls.sleep(1);
                                   calls.send(0, "2");
                                 },
                                 [](ActorCalls& calls) {
                                   calls.sleep(2);
                                   calls.send(0, "3");
                                 }};
  run(bodies);
  CHECK(order == "123");
  order.clear();
  const RunResult result = run(bodies, forced("0:r0<-3#0"));
  CHECK(order == "312");
  CHECK(result.unused_decisions == 0);
  order.clear();
  run(bodies, forced("0:r2<-1#0"));
  CHECK(order == "231");
  CHECK(run(bodies, forced("2:r5<-1#7")).unused_decisions == 1);
}

TEST_CASE("engine: forced answers are given when they are possible", "[simcore][engine]") {
  std::string log;
  const std::vector<Body> bodies{[&](ActorCalls& calls) {
                                   const std::vector<RequestId> requests{calls.post(1), calls.post(2)};
                                   const auto any = calls.observe(requests, Quantifier::any, true);
                                   log += "any" + std::to_string(any.at(0));
                                   log += calls.test(requests[1 - any[0]]) ? " yes" : " no";
                                   log += " saw" + std::to_string(calls.probe({}, {}, true)->source);
                                 },
                                 [](ActorCalls& calls) {
                                   calls.send(0, "x");
                                   calls.send(0, "y");
                                 },
                                 [](ActorCalls& calls) {
                                   calls.sleep(1);
                                   calls.send(0, "x");
                                   calls.send(0, "y");
                                 }};
  run(bodies);
  CHECK(log == "any0 no saw1");
  log.clear();
  run(bodies, forced("0:o2=yes(1);0:o3=yes(0);0:o4=saw 2#1"));
  CHECK(log == "any1 yes saw2");
  log.clear();
  run(bodies, forced("0:o2=yes(1);0:o3=no"));
  CHECK(log == "any1 no saw1");
}

TEST_CASE("engine: a schedule of another program is refused", "[simcore][engine]") {
  const std::vector<Body> bodies{[](ActorCalls& calls) { calls.receive(1, 5); },
                                 [](ActorCalls& calls) { calls.send(0, "x", 6); }};
  CHECK_THAT(try_run(bodies, forced("0:r0<-1#0")).error().text, Catch::Contains("0:r0 cannot take message 1#0"));
}

TEST_CASE("engine: an impossible placement and a missing route are errors with names", "[simcore][engine]") {
  EngineOptions options;
  options.placement = {{0}, {9}};
  CHECK_THAT(try_run({nothing, nothing}, options).error().text, Catch::Contains("host"));
  options.placement = {{0}};
  CHECK_THAT(try_run({nothing, nothing}, options).error().text, Catch::Contains("1 hosts"));
  const TemporaryFile file("<platform version='4.1'><zone id='z' routing='Full'>"
                           "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/></zone></platform>");
  const Platform apart = std::move(make_platform(file.path()).value());
  const auto result = try_run({[](ActorCalls& calls) { calls.send(1, "x"); }, nothing}, {}, apart);
  CHECK_THAT(result.error().text, Catch::Contains("from host 'a' to host 'b'"));
}

TEST_CASE("engine: failures and reports are in the outcome", "[simcore][engine]") {
  Finding finding;
  finding.id = "resource.request";
  const RunResult result = run({[&](ActorCalls&) { ask(Report{&finding}); },
                                [](ActorCalls&) {
                                  ask(Fail{FailureKind::assertion, "assertion.failed", "x > 0"});
                                },
                                [](ActorCalls& calls) { calls.receive(1); }, [](ActorCalls&) { ask(End{3}); }});
  CHECK(result.outcome.reports.at(0).second.id == "resource.request");
  CHECK(result.outcome.actors[1].state == State::failed);
  CHECK(result.outcome.actors[1].what == "x > 0");
  CHECK(result.outcome.actors[2].state == State::blocked);
  CHECK(result.outcome.actors[3].exit_status == 3);
}

TEST_CASE("engine: an abort stops all actors", "[simcore][engine]") {
  double reached = 0;
  const RunResult result = run({[](ActorCalls& calls) {
                                  calls.sleep(1);
                                  ask(Fail{FailureKind::abort, "abort", "5"});
                                },
                                [&](ActorCalls& calls) {
                                  while (true) {
                                    calls.sleep(0.3);
                                    reached = calls.now();
                                  }
                                }});
  CHECK(result.outcome.actors[0].failure == FailureKind::abort);
  CHECK(reached < 1);
}

TEST_CASE("engine: a run that leaves the range of simulated time is an error", "[simcore][engine]") {
  const Body forever = [](ActorCalls& calls) {
    while (true) calls.sleep(1e6);
  };
  CHECK_THAT(try_run({forever}).error().text, Catch::Contains("simulated time"));
  const Body long_message = [](ActorCalls& calls) { calls.compute(1e20); };
  CHECK_THAT(try_run({long_message}).error().text, Catch::Contains("simulated time"));
}

TEST_CASE("engine: output and times reach the sink and the timeline", "[simcore][engine]") {
  struct Text : OutputSink {
    void write(ActorId actor, int stream, std::string_view piece) override {
      text += std::to_string(actor.value) + std::to_string(stream) + std::string(piece) + ";";
    }
    std::string text;
  } text;
  struct Times : Timeline {
    void on_operation(ActorId actor, const Operation& operation, TimePoint begin, TimePoint end) override {
      if (actor.value == 1 && std::holds_alternative<Post>(operation)) waited = (end - begin).seconds();
      operations += 1;
    }
    void on_computation(ActorId, TimePoint, TimePoint) override { computations += 1; }
    int operations = 0, computations = 0;
    double waited = 0;
  } times;
  EngineOptions options;
  options.output = &text;
  options.timeline = &times;
  run({[](ActorCalls& calls) {
         calls.log("hello");
         calls.send(1, "x");
       },
       [](ActorCalls& calls) { calls.receive(); }},
      options);
  CHECK(text.text == "01hello;");
  CHECK(times.operations == 3);
  CHECK(times.computations == 0);
  CHECK(times.waited == Approx(0.001001));
}

TEST_CASE("engine: two runs give the same dates, and two engines are independent", "[simcore][engine]") {
  const auto once = [] {
    std::vector<double> dates;
    const Body body = [&dates](ActorCalls& calls) {
      const std::uint32_t me = current_actor().value;
      for (std::uint32_t i = 0; i < 20; ++i) {
        const RequestId request = calls.post();
        calls.send_bytes((me + 1 + i % 3) % 4, 100 * (me + i));
        calls.wait_all({request});
        dates.push_back(calls.now());
      }
    };
    run({body, body, body, body});
    return dates;
  };
  CHECK(once() == once());
}

}  // namespace engine_test
