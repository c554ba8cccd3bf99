// SPDX-License-Identifier: MIT
//
// Frames come whole and in order over the line between a process and its child, and a closed line is the end.
#include "mc/parallel/channel.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <utility>
#include <vector>

using namespace rehearse;
using namespace rehearse::mc;
using namespace rehearse::mc::parallel;

namespace {

std::pair<Channel, Channel> connected() {
  int ends[2];
  REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
  return {Channel(ends[0]), Channel(ends[1])};
}

// All frames until the line is closed.
std::vector<std::string> all_from(Channel& channel) {
  std::vector<std::string> all;
  for (bool lives = true; lives;) {
    pollfd waits = {channel.descriptor(), POLLIN, 0};
    REQUIRE(poll(&waits, 1, 60'000) == 1);
    lives = channel.fetch();
    while (std::optional<Frame> frame = channel.next()) all.push_back(std::move(frame->bytes));
  }
  return all;
}

// What the child's work reports, and how it ends.
std::pair<std::string, std::string> told_by_child(const std::function<void(Channel&)>& work) {
  std::optional<Child> child = start_child({}, work);
  REQUIRE(child);
  std::string reported;
  for (const std::string& bytes : all_from(child->channel)) reported += bytes + ";";
  return {reported, describe_end(reap(child->pid))};
}

}  // namespace

TEST_CASE("channel: frames arrive whole and in order, with their kinds", "[mc][channel]") {
  auto [one, other] = connected();
  CHECK(one.send(3, "abc"));
  CHECK(one.send(255, ""));
  CHECK(one.send(0, std::string("a\0b", 3)));
  for (const auto& [kind, bytes] : {std::pair<int, std::string>{3, "abc"}, {255, ""}, {0, std::string("a\0b", 3)}}) {
    const std::optional<Frame> frame = other.receive();
    REQUIRE(frame);
    CHECK(frame->kind == kind);
    CHECK(frame->bytes == bytes);
  }
}

TEST_CASE("channel: next() does not wait and returns no partial frame", "[mc][channel]") {
  auto [one, other] = connected();
  CHECK(other.fetch());
  CHECK_FALSE(other.next());
  const std::uint32_t size = 4;
  const char half[] = {'a', 'b'};
  REQUIRE(write(one.descriptor(), &size, sizeof size) == sizeof size);
  REQUIRE(write(one.descriptor(), "\7ab", 3) == 3);
  CHECK(other.fetch());
  CHECK_FALSE(other.next());
  REQUIRE(write(one.descriptor(), half, sizeof half) == sizeof half);
  CHECK(other.fetch());
  const std::optional<Frame> frame = other.next();
  REQUIRE(frame);
  CHECK(frame->kind == 7);
  CHECK(frame->bytes == "abab");
}

TEST_CASE("channel: the end comes after all frames that were sent", "[mc][channel]") {
  auto [one, other] = connected();
  one.send(1, "last");
  one.close();
  CHECK_FALSE(other.fetch());
  REQUIRE(other.next());
  CHECK_FALSE(other.next());
  CHECK_FALSE(other.receive());
  CHECK_FALSE(other.send(1, "to nobody"));
}

TEST_CASE("channel: frames sent before the end are received after it", "[mc][channel]") {
  auto [one, other] = connected();
  one.send(1, "last but one");
  one.send(2, "last");
  one.close();
  const std::optional<Frame> first = other.receive(), second = other.receive();
  REQUIRE(first);
  CHECK(first->bytes == "last but one");
  REQUIRE(second);
  CHECK(second->kind == 2);
  CHECK(second->bytes == "last");
  CHECK_FALSE(other.receive());
}

TEST_CASE("channel: a truncated frame is not received", "[mc][channel]") {
  auto [one, other] = connected();
  const std::uint32_t size = 4;
  one.send(1, "whole");
  REQUIRE(write(one.descriptor(), &size, sizeof size) == sizeof size);
  REQUIRE(write(one.descriptor(), "\7ab", 3) == 3);
  one.close();
  REQUIRE(other.receive());
  CHECK_FALSE(other.receive());
}

TEST_CASE("channel: a moved channel keeps its connection", "[mc][channel]") {
  auto [one, other] = connected();
  one.send(1, "a");
  one.send(2, "b");
  CHECK(other.receive()->bytes == "a");
  Channel moved(std::move(other));
  CHECK(other.descriptor() == -1);
  CHECK(moved.receive()->bytes == "b");  // it had come already
  Channel target;
  target = std::move(moved);
  one.send(3, "c");
  CHECK(target.receive()->bytes == "c");
}

TEST_CASE("channel: a child uses its end and ends, and its parent gets the status", "[mc][channel]") {
  CHECK(told_by_child([](Channel& channel) {
          channel.send(1, "one");
          channel.send(1, std::string(300'000, 'x').substr(0, 2));
        }) == std::pair<std::string, std::string>{"one;xx;", "with exit status 0"});
  CHECK(told_by_child([](Channel&) { throw 1; }).second == "with exit status 1");
  CHECK(told_by_child([](Channel&) { std::raise(SIGKILL); }).second == "by signal 9 (Killed)");
  CHECK(told_by_child([](Channel&) { _exit(7); }).second == "with exit status 7");
}

TEST_CASE("channel: an interruption of the parent does not stop a child", "[mc][channel]") {
  const auto [reported, end] = told_by_child([](Channel& channel) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) std::raise(signal);
    channel.send(1, "lives");
  });
  CHECK(reported == "lives;");
  CHECK(end == "with exit status 0");
}

TEST_CASE("channel: large frames arrive while the other side reads", "[mc][channel]") {
  const std::string large(2'000'000, 'y');
  std::optional<Child> child = start_child({}, [&](Channel& channel) {
    const std::optional<Frame> frame = channel.receive();
    channel.send(2, frame ? frame->bytes : "nothing");
  });
  REQUIRE(child);
  CHECK(child->channel.send(1, large));
  CHECK(all_from(child->channel) == std::vector<std::string>{large});
  CHECK(reap(child->pid) == 0);
}

TEST_CASE("channel: reading a file in a child does not move the position of its parent", "[mc][channel]") {
  char path[] = "/tmp/rehearse_channel_XXXXXX";
  const int file = mkstemp(path);
  REQUIRE(file >= 0);
  REQUIRE(write(file, "0123456789", 10) == 10);
  lseek(file, 4, SEEK_SET);
  const auto [reported, end] = told_by_child([&](Channel& channel) {
    char bytes[3] = {};
    const bool has_read = read(file, bytes, 3) == 3;
    channel.send(1, has_read ? std::string(bytes, 3) : "failed");
  });
  CHECK(end == "with exit status 0");
  CHECK(reported == "456;");
  CHECK(lseek(file, 0, SEEK_CUR) == 4);
  close(file);
  unlink(path);
}

TEST_CASE("channel: a process knows its resident memory", "[mc][channel]") { CHECK(resident_bytes() > 100'000); }
