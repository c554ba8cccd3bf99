// SPDX-License-Identifier: MIT
//
// Tests of work in a child process that returns lines.
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <string>
#include <vector>

#include "app/isolated_lines.hpp"

namespace rehearse::app {
namespace {

struct LinesSeen {
  std::vector<std::string> lines;
  std::string death;
};

LinesSeen lines_of(const std::function<void(const TakeLine&)>& work, const StopToken& stop = {}) {
  LinesSeen seen;
  seen.death = lines_from_isolated(
      work, [&](const std::string& line) { seen.lines.push_back(line); }, stop);
  return seen;
}

}  // namespace

TEST_CASE("isolated lines: each line of the child arrives, long ones as well") {
  const std::string long_line(300'000, 'x');
  const LinesSeen seen = lines_of([&](const TakeLine& send) {
    send("one");
    send("");
    send(long_line);
  });
  CHECK(seen.lines == std::vector<std::string>{"one", "", long_line});
  CHECK(seen.death.empty());
}

TEST_CASE("isolated lines: those before a death are not lost") {
  const LinesSeen seen = lines_of([](const TakeLine& send) {
    send("before");
    raise(SIGKILL);
    send("after");
  });
  CHECK(seen.lines == std::vector<std::string>{"before"});
  CHECK(seen.death == "by signal 9 (Killed)");
}

TEST_CASE("isolated lines: a stop ends the child, and its lines are not lost") {
  std::atomic<bool> wanted = false;
  std::vector<std::string> lines;
  const std::string death = lines_from_isolated(
      [](const TakeLine& send) {
        send("begun");
        for (;;) pause();
      },
      [&](const std::string& line) {
        lines.push_back(line);
        wanted = true;
      },
      StopToken::watch(wanted));
  CHECK(lines == std::vector<std::string>{"begun"});
  CHECK(death.empty());
}

}  // namespace rehearse::app
