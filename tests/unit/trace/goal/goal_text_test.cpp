// SPDX-License-Identifier: MIT
//
// GOAL text: forms, positions in messages, conversion to calls.
#include <catch2/catch.hpp>
#include <sstream>

#include "trace/goal.hpp"
#include "trace/goal_conversion.hpp"

namespace rehearse::trace {
namespace goal_text_test {
namespace {

std::string error_of(std::string_view text) {
  const auto read = read_goal_text(text, "f");
  return read ? "" : read.error().text;
}

GoalSchedule schedule_of(std::string_view text) {
  auto read = read_goal_text(text, "f");
  REQUIRE(read);
  return std::move(read.value());
}

TEST_CASE("goal: ranks come in any order, and a missing one is empty") {
  const GoalSchedule schedule = schedule_of("num_ranks 3\nrank 2 {\ncalc 2\n}\nrank 0 {\ncalc 1\ncalc 3\n}\n");
  REQUIRE(schedule.ranks() == 3);
  CHECK(schedule.blocks[0].count == 2);
  CHECK(schedule.blocks[1].count == 0);
  CHECK(schedule.operations[schedule.blocks[2].first].size == 2);
}

TEST_CASE("goal: comments count as blanks and keep the numbers of lines") {
  const GoalSchedule schedule =
      schedule_of("// a\nnum_ranks 1 /* b\n */\nrank 0 { // c\nx: calc /* d */ 5\ny: calc 6\ny irequires x\n}");
  CHECK(schedule.lines == LargeVector<std::uint32_t>{5, 6});
  CHECK(schedule.operations[1].needs == 1);
  CHECK(schedule.after_done(0).empty());
  CHECK(schedule.after_begun(0).size() == 1);
}

TEST_CASE("goal: an operation has its processor, its port and any source and tag") {
  const GoalSchedule schedule = schedule_of("num_ranks 1\nrank 0 {\nrecv 7b from -1 tag -1 cpu 3 nic 2\n}\n");
  const GoalOperation& operation = schedule.operations[0];
  CHECK(operation.peer == goal_any);
  CHECK(operation.tag == goal_any);
  CHECK(text_of(operation) == "recv 7b from -1 tag -1 cpu 3 nic 2");
}

TEST_CASE("goal: an error names the line") {
  CHECK(
      error_of("num_ranks 1\nrank 0 {\nrank 0 {\n").starts_with("f:3: rank 0, which begins at line 2, is not closed"));
  CHECK(error_of("num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n").starts_with("f:4: rank 0 has a block already, at line 2"));
  CHECK(error_of("num_ranks 1\n/* a\n").starts_with("f:2: the comment that begins here"));
  CHECK(error_of("num_ranks 1\ncalc 1\n").starts_with("f:2: an operation stands between"));
  CHECK(error_of("rank 0 {\nsend 1b to 4\n}\nnum_ranks 2\n").starts_with("f:2: rank 4 is not one of the 2 ranks"));
  CHECK(error_of("num_ranks 1\nrank 0 {\ncalc 99999999999999999999\n}").starts_with("f:3: a number is too large"));
  CHECK(error_of("num_ranks 1\nrank 0 {\ncalc 1 cpu 256\n}").starts_with("f:3: cpu is a number from 0 to 255"));
}

TEST_CASE("goal: many more ranks than bytes of text are an error") {
  const std::string few_bytes = "in a file of 18 bytes, so most ranks have no operations; accepted: up to 65536 ranks, "
                                "or one for each byte";
  CHECK(error_of("num_ranks 5000000\n") == "f:1: num_ranks 5000000 " + few_bytes);
  CHECK(error_of("rank 5000000 {\n}\n").starts_with("f:1: rank 5000000 in a file of 17 bytes"));
  CHECK(error_of("num_ranks 99999999\n").starts_with("f:1: num_ranks is a number from 1 to 16777216; found"));
  CHECK(error_of("rank 99999999 {\n}\n") == "f:1: rank 99999999 is not one of the 16777216 ranks");
  CHECK(error_of("num_ranks 65537\n").starts_with("f:1: num_ranks 65537 in a file of 16 bytes"));
  CHECK(schedule_of("num_ranks 65536\n").ranks() == 65536);
  CHECK(schedule_of("num_ranks 100000 //" + std::string(100'000, 'x') + "\n").ranks() == 100'000);
}

TEST_CASE("goal: forms are recognised by their beginning") {
  CHECK(goal_form("// c\n\nnum_ranks 4\n") == Format::goal);
  CHECK(goal_form("rank 0 {") == Format::goal);
  CHECK(goal_form("0 init\n") == std::nullopt);
  CHECK(goal_form("rank0.ti\n") == std::nullopt);
  CHECK(goal_form(std::string_view("\x7f\x10\0\0\0\0\0\0", 8)) == Format::goal_binary);
}

TEST_CASE("goal: a binary file cut short anywhere is an error") {
  const GoalSchedule schedule = schedule_of("num_ranks 2\nrank 0 {\na: calc 1\nb: send 1b to 1\nb requires a\n}\n");
  std::ostringstream out;
  write_goal_binary(schedule, out);
  const std::string whole = out.str();
  for (std::size_t bytes = 8; bytes < whole.size(); ++bytes)
    CHECK_FALSE(read_goal_binary(std::string_view(whole).substr(0, bytes), "f"));
  CHECK(read_goal_binary(whole, "f"));
}

TEST_CASE("goal: a binary file whose ranks share their operations is an error") {
  GoalSchedule schedule = schedule_of("num_ranks 1\nrank 0 {\ncalc 1\ncalc 2\ncalc 3\ncalc 4\ncalc 5\n}\n");
  constexpr std::uint32_t ranks = 20;
  schedule.blocks.resize(ranks);
  std::ostringstream out;
  write_goal_binary(schedule, out);
  std::string bytes = out.str();
  CHECK(read_goal_binary(bytes, "f"));
  constexpr std::size_t table = 14, range = 16;
  for (std::size_t rank = 1; rank < ranks; ++rank) bytes.replace(table + rank * range, range, bytes, table, range);
  const auto read = read_goal_binary(bytes, "f");
  REQUIRE_FALSE(read);
  CHECK(read.error().text == "f: rank 3: its operations are also those of another rank");
}

TEST_CASE("goal: a chain becomes calls; what is irequired is nonblocking") {
  const GoalSchedule schedule =
      schedule_of("num_ranks 1\nrank 0 {\na: recv 8b from 0 tag 3\nb: send 8b to 0 tag 3\nc: calc 0\nd: calc 1000\n"
                  "b irequires a\nc requires b\nc requires a\nd requires c\n}\n");
  std::ostringstream out;
  GoalConversion options;
  options.flops_per_second = 2e9;
  REQUIRE(write_calls(schedule, options, out));
  CHECK(out.str() == "0 init\n0 irecv 0 3 8\n0 send 0 3 8\n0 wait 0 0 3\n0 compute 2000\n0 finalize\n");
}

}  // namespace
}  // namespace goal_text_test
}  // namespace rehearse::trace
