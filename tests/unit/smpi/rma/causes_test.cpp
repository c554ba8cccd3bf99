// SPDX-License-Identifier: MIT
//
// The order of causes: program order, messages, collectives, and which accesses are over.
#include <array>
#include <catch2/catch.hpp>

#include "smpi/rma/causes.hpp"

namespace causes_test {

using namespace rehearse;
using rehearse::smpi::AccessWay;
using rehearse::smpi::Causes;

namespace {

constexpr ActorId first{0}, second{1}, third{2};

Send send_to(ActorId destination, std::uint32_t request, SendMode mode = SendMode::standard) {
  Send send;
  send.request = {request};
  send.destination = destination;
  send.mode = mode;
  send.blocking = true;
  return send;
}

Post receive(std::uint32_t request) {
  Post post;
  post.request = {request};
  post.blocking = true;
  return post;
}

rehearse::Delivery delivery(ActorId source, std::uint32_t send, ActorId destination, std::uint32_t receive) {
  rehearse::Delivery message;
  message.source = source;
  message.send = {send};
  message.destination = destination;
  message.receive = {receive};
  return message;
}

}  // namespace

TEST_CASE("causes: a message orders what its sender did before it, and nothing that it did later") {
  Causes causes(3);
  causes.end_operation(first, Sleep{});
  causes.end_operation(first, send_to(second, 1));
  causes.end_operation(first, Sleep{});
  causes.deliver(delivery(first, 1, second, 7));
  CHECK_FALSE(causes.now(second).knows_step(0, 1));
  causes.end_operation(second, receive(7));
  CHECK(causes.now(second).knows_step(0, 1));
  CHECK_FALSE(causes.now(second).knows_step(0, 2));
  CHECK_FALSE(causes.now(third).knows_step(0, 1));
  CHECK_FALSE(causes.is_step_known_to_all(first, 1));
}

TEST_CASE("causes: a message may be delivered before its send has ended") {
  Causes causes(2);
  causes.end_operation(first, Sleep{});
  causes.deliver(delivery(first, 1, second, 7));
  causes.end_operation(second, receive(7));
  causes.end_operation(first, send_to(second, 1));
  CHECK(causes.now(second).knows_step(0, 1));
  CHECK_FALSE(causes.now(second).knows_step(0, 2));
}

TEST_CASE("causes: a synchronous send has seen the beginning of its receive, a standard one has not") {
  for (const SendMode mode : {SendMode::standard, SendMode::synchronous}) {
    Causes causes(2);
    causes.end_operation(second, Sleep{});
    causes.end_operation(first, send_to(second, 1, mode));
    CHECK(causes.now(first).knows_step(1, 1) == (mode == SendMode::synchronous));
  }
}

TEST_CASE("causes: all members of a barrier know what all did before it, those of a broadcast what its root did") {
  const std::array members{first, second, third};
  for (const Flow flow : {Flow::all_to_all, Flow::root_to_all, Flow::optional}) {
    Causes causes(3);
    Collective collective;
    collective.members = members;
    collective.flow = flow;
    collective.root = 0;
    collective.blocking = true;
    causes.end_operation(first, Sleep{});
    causes.end_operation(second, Sleep{});
    causes.end_operation(first, collective);
    causes.end_operation(third, collective);
    CHECK(causes.now(third).knows_step(0, 1) == (flow != Flow::optional));
    CHECK(causes.now(third).knows_step(1, 1) == (flow == Flow::all_to_all));  // it is still in the call
    causes.end_operation(second, collective);
    CHECK(causes.now(first).knows_step(1, 1) == (flow == Flow::all_to_all));
  }
}

TEST_CASE("causes: an access is over for those who hear of its origin after a flush") {
  Causes causes(2);
  RemoteAccess access;
  access.target = second;
  access.request = {4};
  const auto name = causes.name_access(first, access);
  causes.end_operation(first, send_to(second, 1));
  causes.finish_way(name.way);
  causes.end_operation(first, send_to(second, 2));
  causes.deliver(delivery(first, 1, second, 1));
  causes.end_operation(second, receive(1));
  CHECK_FALSE(causes.now(second).knows(name));
  causes.deliver(delivery(first, 2, second, 2));
  causes.end_operation(second, receive(2));
  CHECK(causes.now(second).knows(name));
  CHECK(causes.is_known_to_all(name));
}

}  // namespace causes_test
