// SPDX-License-Identifier: MIT
//
// The LogGOPS model, its queue and its matching.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "trace/log_gops.hpp"
#include "trace/log_gops/date_queue.hpp"

namespace rehearse::trace {
namespace log_gops_test {
namespace {

LogGopsResult simulate(const std::string& text, std::string_view parameters = "L=2500,o=1500") {
  const auto schedule = read_goal_text(text, "f");
  REQUIRE(schedule);
  const auto parsed = parse_log_gops(parameters);
  REQUIRE(parsed);
  const auto done = simulate_log_gops(schedule.value(), parsed.value());
  REQUIRE(done);
  return done.value();
}

TEST_CASE("loggops: a message of one byte takes o + L + o") {
  CHECK(simulate("num_ranks 2\nrank 0 {\nsend 1b to 1\n}\nrank 1 {\nrecv 1b from 0\n}\n").ends ==
        std::vector<std::uint64_t>{1500, 5500});
}

TEST_CASE("loggops: parameters are checked by name and number") {
  const auto parsed = parse_log_gops("S=7,G=2");
  REQUIRE(parsed);
  CHECK(text_of(parsed.value()) == "L=2500,o=1500,g=1000,G=2,O=0,S=7");
  for (const char* bad : {"", "L", "L=", "L=-1", "L=1.5", "x=1", "L=1,", "L=1 "}) CHECK_FALSE(parse_log_gops(bad));
}

TEST_CASE("loggops: dates that could overflow are an error") {
  const auto schedule = read_goal_text("num_ranks 1\nrank 0 {\ncalc 9999999999999999999\n}\n", "f");
  REQUIRE(schedule);
  CHECK_FALSE(simulate_log_gops(schedule.value(), {}));
}

TEST_CASE("loggops: receives without a message and operations behind them never end") {
  const LogGopsResult result = simulate(
      "num_ranks 2\nrank 0 {\na: recv 1b from 1\nb: calc 1\nb requires a\n}\nrank 1 {\nsend 1b to 0 tag 9\n}\n");
  CHECK(result.begun == std::vector<std::uint32_t>{0});
  CHECK(result.not_begun == std::vector<std::uint32_t>{1});
  CHECK(result.not_received == std::vector<std::uint32_t>{2});
}

// Receives from 1 in the opposite order of the tags, so that searches are long; one receive of each ten has any tag.
TEST_CASE("loggops: many open receives and messages match in order") {
  constexpr int messages = 2000;
  std::string sends, receives, waits = "w: calc 1000000000\n";
  for (int i = 0; i < messages; ++i) {
    sends += "s" + std::to_string(i) + ": send 1b to 0 tag " + std::to_string(i) + "\n";
    if (i > 0) sends += "s" + std::to_string(i) + " requires s" + std::to_string(i - 1) + "\n";
    receives += "r" + std::to_string(i) + ": recv 1b from 1 tag " +
                (i % 10 == 9 ? std::string("-1") : std::to_string(messages - 1 - i)) + "\n";
    if (i > 0) receives += "r" + std::to_string(i) + " requires r" + std::to_string(i - 1) + "\n";
  }
  const auto text = [&](const std::string& first, const std::string& more) {
    return "num_ranks 2\nrank 0 {\n" + first + receives + more + "}\nrank 1 {\n" + sends + "}\n";
  };
  const LogGopsResult late = simulate(text(waits, "r0 requires w\n"));
  CHECK(late.not_received.size() == late.begun.size() + late.not_begun.size());
  receives.clear();
  for (int i = 0; i < messages; ++i) receives += "recv 1b from 1 tag " + std::to_string(messages - 1 - i) + "\n";
  const LogGopsResult posted = simulate(text("", ""));
  CHECK(posted.begun.empty());
  CHECK(posted.ends[0] == 1500 + 2500 + 1500 * messages);
}

TEST_CASE("loggops: the all-to-all of P ranks ends at its formula") {
  constexpr int ranks = 64;
  std::string text = "num_ranks 64\n";
  for (int me = 0; me < ranks; ++me) {
    text += "rank " + std::to_string(me) + " {\n";
    for (int k = 1; k < ranks; ++k)
      text += "send 1024b to " + std::to_string((me + k) % ranks) + "\nrecv 1024b from " +
              std::to_string((me - k + ranks) % ranks) + "\n";
    text += "}\n";
  }
  const LogGopsResult result = simulate(text);
  CHECK(*std::ranges::max_element(result.ends) == 11638 * (ranks - 1));
}

TEST_CASE("loggops: the queue gives dates and orders as a sort does") {
  std::mt19937_64 random(7);
  log_gops::DateQueue queue;
  LargeVector<log_gops::Event> batch;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> expected, got;
  std::uint32_t order = 0;
  const auto push = [&](std::uint64_t now, std::uint32_t shift) {
    const std::uint64_t date = now + 1 + (random() >> shift) % 1000000;
    expected.emplace_back(date, ++order);
    queue.push({date, order, 0});
  };
  for (int i = 0; i < 1000; ++i) push(0, 50);
  while (queue.take(batch)) {
    for (const log_gops::Event& event : batch) {
      got.emplace_back(event.date, event.order);
      if (order < 5000) push(event.date, 40 + order % 20);
    }
  }
  std::ranges::sort(expected);
  CHECK(got == expected);
}

}  // namespace
}  // namespace log_gops_test
}  // namespace rehearse::trace
