// SPDX-License-Identifier: MIT
//
// Mailboxes and message queues: who meets whom, when, and what becomes of it.
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "simcore/actor_api.hpp"
#include "tests/support/actor_platform.hpp"

using namespace rehearse;
using namespace rehearse::testing;
namespace actor = rehearse::sim::this_actor;

TEST_CASE("mailboxes: messages are taken in the order in which they were put, of whatever type", "[simcore][actors]") {
  PlainSimulation simulation;
  simulation.add_actor("s", simulation.host("alpha"), [&] {
    auto& box = simulation.mailbox("m");
    sim::ActivitySet sent{box.put_async(1, 10), box.put_async(std::string(100, 'x'), 10),
                          box.put_async(std::make_unique<int>(3), 10)};
    sent.wait_all();
  });
  simulation.add_actor("r", simulation.host("gamma"), [&] {
    auto& box = simulation.mailbox("m");
    actor::sleep_for(1);
    CHECK(box.size() == 3);
    CHECK(box.listen());
    CHECK(box.listen_from().name() == "s");
    CHECK(box.probe([](const sim::Payload& payload, double) { return payload.peek<std::string>() != nullptr; }));
    CHECK_FALSE(box.probe([](const sim::Payload&, double bytes) { return bytes > 10; }));
    CHECK(box.get<int>() == 1);
    CHECK_THROWS_WITH(box.get<int>(), Catch::Contains("basic_string") && Catch::Contains("not int"));
    CHECK(*box.get<std::unique_ptr<int>>() == 3);
  });
  CHECK(simulation.run().text() == "");
}

TEST_CASE("mailboxes: both ends of an asynchronous message hold the same activity", "[simcore][actors]") {
  PlainSimulation simulation;
  const bool init_put = GENERATE(true, false), init_get = GENERATE(true, false), put_first = GENERATE(true, false);
  sim::Comm put, get;
  const auto send = [&] {
    auto& box = simulation.mailbox("m");
    put = init_put ? box.put_init(7, 1e6).start() : box.put_async(7, 1e6);
    put.wait();
    CHECK(actor::now() == Approx(0.1));
  };
  const auto receive = [&] {
    auto& box = simulation.mailbox("m");
    get = init_get ? box.get_init().start() : box.get_async();
    sim::ActivitySet set{get};
    CHECK(set.wait_any() == get);
    CHECK(get.take<int>() == 7);
    CHECK(actor::now() == Approx(0.1));
  };
  if (put_first) simulation.add_actor("s", simulation.host("alpha"), send);
  simulation.add_actor("r", simulation.host("gamma"), receive);
  if (!put_first) simulation.add_actor("s", simulation.host("alpha"), send);
  CHECK(simulation.run().text() == "");
  CHECK(put == get);
}

TEST_CASE("mailboxes: with a permanent receiver a message leaves at once", "[simcore][actors]") {
  PlainSimulation simulation;
  const bool init_get = GENERATE(true, false);
  auto& box = simulation.mailbox("m");
  auto receiver = simulation.add_actor("r", simulation.host("gamma"), [&] {
    actor::sleep_for(0.5);
    CHECK(box.ready());
    const sim::Comm comm = init_get ? box.get_init().start() : box.get_async();
    comm.wait();
    CHECK(comm.take<int>() == 5);
    CHECK(actor::now() == 0.5);
    CHECK_FALSE(box.ready());
    CHECK(box.get<int>() == 6);
    CHECK(actor::now() == Approx(1));
  });
  box.set_receiver(receiver);
  simulation.add_actor("s", simulation.host("alpha"), [&] {
    box.put_detached(5, 1e6);
    box.put(6, 10e6);
    CHECK(actor::now() == Approx(1));
  });
  CHECK(simulation.run().text() == "");
}

TEST_CASE("mailboxes: a put or get that times out leaves no message", "[simcore][actors]") {
  PlainSimulation simulation;
  auto& box = simulation.mailbox("m");
  simulation.add_actor("s", simulation.host("alpha"), [&] {
    CHECK_THROWS_AS(box.put(1, 1, 2), sim::TimeoutError);
    CHECK(actor::now() == 2);
    CHECK(box.empty());
    actor::sleep_for(2);
    CHECK_THROWS_AS(box.put(2, 100e6, 1), sim::TimeoutError);  // under way
  });
  simulation.add_actor("r", simulation.host("gamma"), [&] {
    actor::sleep_for(3);
    CHECK_THROWS_AS(box.get<int>(0.5), sim::TimeoutError);
    CHECK(box.empty());
    CHECK_THROWS_AS(box.get<int>(), sim::TimeoutError);  // the sender's
    CHECK(actor::now() == 5);
  });
  CHECK(simulation.run().text() == "");
}

TEST_CASE("mailboxes: a put and a get that time out at the same date both fail", "[simcore][actors]") {
  PlainSimulation simulation;
  auto& box = simulation.mailbox("m");
  simulation.add_actor("s", simulation.host("alpha"),
                       [&] { CHECK_THROWS_AS(box.put(1, 100e6, 1), sim::TimeoutError); });
  simulation.add_actor("r", simulation.host("gamma"), [&] { CHECK_THROWS_AS(box.get<int>(1), sim::TimeoutError); });
  CHECK(simulation.run().text() == "");
}

TEST_CASE("mailboxes: a rate limits the transfer, and clear() cancels waiting messages", "[simcore][actors]") {
  PlainSimulation simulation;
  auto& box = simulation.mailbox("m");
  simulation.add_actor("s", simulation.host("alpha"), [&] {
    box.put_init(1, 1e6).set_rate(1e5).start().wait();
    CHECK(actor::now() == Approx(10));
    const sim::Comm forgotten = box.put_async(2, 1e6);
    box.clear();
    CHECK_THROWS_AS(forgotten.wait(), sim::CancelError);
  });
  simulation.add_actor("r", simulation.host("gamma"), [&] { CHECK(box.get<int>() == 1); });
  CHECK(simulation.run().text() == "");
}

TEST_CASE("mailboxes: a link that goes off is NetworkFailure at both ends", "[simcore][actors]") {
  PlainSimulation simulation;
  int failures = 0;
  const auto expect_failure = [&](auto action) {
    return [&failures, &simulation, action] {
      CHECK_THROWS_AS(action(), sim::NetworkFailure);
      CHECK(simulation.now() == 1);
      ++failures;
    };
  };
  auto& box = simulation.mailbox("m");
  simulation.add_actor("s", simulation.host("alpha"), expect_failure([&] { box.put(1, 1e9); }));
  simulation.add_actor("r", simulation.host("beta"), expect_failure([&] { box.get<int>(); }));
  simulation.add_actor("breaker", simulation.host("gamma"), [&] {
    actor::sleep_for(1);
    simulation.link("ab").turn_off();
    CHECK_THROWS_WITH(sim::Comm::sendto(simulation.host("beta"), simulation.host("gamma"), 1),
                      "there is no route from 'beta' to 'gamma'");
  });
  CHECK(simulation.run().text() == "");
  CHECK(failures == 2);
}

TEST_CASE("queues: messages take no time, and wait for both sides", "[simcore][actors]") {
  PlainSimulation simulation;
  auto& queue = simulation.message_queue("q");
  simulation.add_actor("s", simulation.host("alpha"), [&] {
    queue.put(std::string("a"));
    CHECK(actor::now() == 2);
    queue.put_detached(std::string("b"));
    const sim::Mess message = queue.put_async(std::string("c"));
    CHECK(queue.size() == 2);
    message.wait();
    CHECK(actor::now() == 3);
    CHECK_THROWS_AS(queue.put(1, 1.0), sim::TimeoutError);
  });
  simulation.add_actor("r", simulation.host("beta"), [&] {
    actor::sleep_for(2);
    CHECK(queue.get<std::string>() == "a");
    actor::sleep_for(1);
    CHECK(queue.get<std::string>() == "b");
    CHECK(queue.get<std::string>() == "c");
  });
  CHECK(simulation.run().text() == "");
  CHECK(simulation.now() == 4);
}
