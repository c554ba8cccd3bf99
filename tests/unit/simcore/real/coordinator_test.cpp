// SPDX-License-Identifier: MIT
//
// The coordinator of a run for real, without processes: who gets which message, and when a run ends.
#include <catch2/catch.hpp>
#include <vector>

#include "simcore/kernel/records.hpp"
#include "simcore/real/real_protocol.hpp"
#include "simcore/real_coordinator.hpp"

using namespace rehearse;
using real::ControlKind;
using remote::Packer;

namespace {

struct SentOrder {
  std::uint32_t process;
  ControlKind kind;
  std::string body;
};

class CoordinatorScene {
 public:
  explicit CoordinatorScene(std::uint32_t processes)
      : orders(processes), coordinator(processes, "program", [this](std::uint32_t process, const RealMessage& message) {
          ++orders[process];
          sent.push_back({process, static_cast<ControlKind>(message.kind), message.body});
        }) {
    for (std::uint32_t i = 0; i < processes; ++i)
      say(i, ControlKind::hello,
          Packer()
              .add(real::protocol_version)
              .add(i)
              .add("secret")
              .add(std::uint64_t{0})
              .add("127.0.0.1")
              .add(std::uint16_t{1})
              .take());
  }

  void say(std::uint32_t process, ControlKind kind, std::string body) {
    coordinator.receive(process, {static_cast<std::uint32_t>(kind), std::move(body)});
  }
  void begin() {
    for (std::uint32_t i = 0; i < orders.size(); ++i) say(i, ControlKind::ready, to_bytes(real::Ready{"same", "p", 0}));
  }
  std::size_t count(ControlKind kind) const {
    std::size_t result = 0;
    for (const SentOrder& order : sent) result += order.kind == kind;
    return result;
  }
  void passive(std::uint32_t process, std::vector<std::uint64_t> to, std::vector<std::uint64_t> from,
               std::uint64_t probe = 0, std::uint32_t actors = 1) {
    real::Status status;
    status.probe = probe;
    status.is_passive = true;
    status.sent_to = std::move(to);
    status.received_from = std::move(from);
    status.orders_received = orders[process];
    status.actors_to_wait_for = actors;
    say(process, ControlKind::status, to_bytes(status));
  }

  std::vector<std::uint64_t> orders;
  std::vector<SentOrder> sent;
  RealCoordinator coordinator;
};

}  // namespace

TEST_CASE("coordinator: a run begins when all processes are ready, with the same actors") {
  CoordinatorScene scene(2);
  CHECK(scene.count(ControlKind::orders) == 2);
  scene.say(0, ControlKind::ready, to_bytes(real::Ready{"same", "p", 0}));
  CHECK(scene.count(ControlKind::start) == 0);
  scene.say(1, ControlKind::ready, to_bytes(real::Ready{"same", "p", 0}));
  CHECK(scene.count(ControlKind::start) == 2);

  CoordinatorScene other(2);
  other.say(0, ControlKind::ready, to_bytes(real::Ready{"same", "p", 0}));
  other.say(1, ControlKind::ready, to_bytes(real::Ready{"not the same", "p", 0}));
  CHECK(other.coordinator.is_refused());
}

TEST_CASE("coordinator: the home of a mailbox is the process that first claims it") {
  CoordinatorScene scene(3);
  scene.begin();
  const auto ask = [&](std::uint32_t process, bool claims) {
    scene.say(process, ControlKind::ask, Packer().add("box").add(claims).take());
  };
  ask(0, false);
  CHECK(scene.count(ControlKind::home) == 0);
  ask(2, true);
  REQUIRE(scene.count(ControlKind::home) == 2);  // to the one that waits, and to the home
  const std::string answer = Packer().add("box").add(std::uint32_t{2}).take();
  CHECK(scene.sent[scene.sent.size() - 1].body == answer);
  ask(1, true);
  CHECK(scene.sent.back().process == 1);
  CHECK(scene.sent.back().body == answer);
  scene.coordinator.lost(2);
  ask(0, true);
  CHECK(scene.sent.back().body == Packer().add("box").add(std::uint32_t{0}).take());
}

TEST_CASE("coordinator: a deadlock is two quiet waves without a message on its way") {
  CoordinatorScene scene(2);
  scene.begin();
  scene.passive(0, {0, 1}, {0, 0});
  scene.passive(1, {0, 0}, {0, 0});  // the message of process 0 is on its way
  CHECK(scene.count(ControlKind::probe) == 0);
  scene.passive(1, {0, 0}, {1, 0});
  CHECK(scene.count(ControlKind::probe) == 2);
  scene.passive(0, {0, 1}, {0, 0}, 1);
  CHECK(scene.count(ControlKind::stop) == 0);
  scene.passive(1, {1, 0}, {1, 0}, 1);  // it has acted between the waves
  CHECK(scene.count(ControlKind::stop) == 0);
  scene.passive(0, {0, 1}, {0, 1}, 1);
  CHECK(scene.count(ControlKind::probe) == 4);
  scene.passive(0, {0, 1}, {0, 1}, 2);
  scene.passive(1, {1, 0}, {1, 0}, 2);
  CHECK(scene.count(ControlKind::stop) == 2);
}

TEST_CASE("coordinator: a run ends when no process has an actor to wait for") {
  CoordinatorScene scene(2);
  scene.begin();
  scene.passive(0, {0, 3}, {0, 0}, 0, 0);
  CHECK(scene.count(ControlKind::stop) == 0);
  scene.passive(1, {0, 0}, {1, 0}, 0, 0);  // daemons may still have messages on their way
  REQUIRE(scene.count(ControlKind::stop) == 2);
  for (std::uint32_t i = 0; i < 2; ++i) {
    real::ProcessReport report;
    report.end = 1 + i;
    report.messages = 5;
    scene.say(i, ControlKind::report, to_bytes(report));
  }
  CHECK(scene.count(ControlKind::finish) == 2);
  CHECK(scene.coordinator.run().has_run);
  CHECK(scene.coordinator.run().end == 2);
  CHECK(scene.coordinator.run().id.empty());
}

TEST_CASE("coordinator: an object of two processes is refused, by its users") {
  CoordinatorScene scene(2);
  scene.begin();
  const auto use = [&](std::uint32_t process, std::uint64_t name) {
    scene.say(process, ControlKind::uses,
              Packer().add(name).add(sim::kernel::Touched::mutex).add("actor").add(std::to_string(process)).take());
  };
  use(0, 7);
  use(0, 8);
  use(1, 9);
  CHECK_FALSE(scene.coordinator.is_refused());
  use(1, 7);
  CHECK(scene.coordinator.is_refused());
  CHECK(scene.coordinator.run().refused ==
        "a mutex that actor 'actor' on '0' and actor 'actor' on '1' share: it is in the memory of one process");
}

TEST_CASE("coordinator: messages come out of a stream of bytes as they went in") {
  RealMessageReader reader;
  const std::string bytes = to_bytes(RealMessage{5, "five"}) + to_bytes(RealMessage{6, ""});
  RealMessage message;
  std::vector<std::string> bodies;
  for (const char byte : bytes) {
    reader.add({&byte, 1});
    while (reader.next(message)) bodies.push_back(std::to_string(message.kind) + message.body);
  }
  CHECK(bodies == std::vector<std::string>{"5five", "6"});
  RealActorsPlace place{"unix:/x", 3, "secret", "127.0.0.1"}, again;
  REQUIRE(RealActorsPlace::read(place.text(), again));
  CHECK(again.process == 3);
  CHECK_FALSE(RealActorsPlace::read("unix:/x three", again));
}
