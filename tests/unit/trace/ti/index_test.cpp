// SPDX-License-Identifier: MIT
//
// The index of a time-independent trace: its ranks, their lines, and the message for each malformed file.
#include "trace/ti/index.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/trace/ti/trace_files.hpp"

namespace rehearse::trace::ti {
namespace {

std::string error_of(const std::string& path) {
  const auto index = make_index(path);
  return index ? "" : index.error().text;
}

TEST_CASE("ti index: consecutive lines of a rank are one run, which a comment ends") {
  const TraceFiles files;
  const auto index = make_index(files.write("t.ti", "0 init\n0 compute 1\n1 init\n# x\n1 compute 2\n2 init\n"));
  REQUIRE(index);
  REQUIRE(index.value().ranks.size() == 3);
  CHECK(index.value().ranks[0].runs.size() == 1);
  CHECK(index.value().ranks[0].runs[0].bytes == 19);
  CHECK(index.value().ranks[1].runs.size() == 2);
  CHECK(index.value().ranks[1].runs[1].line == 5);
  CHECK(index.value().files.size() == 1);
}

TEST_CASE("ti index: an index names a file for each rank, relative to itself") {
  const TraceFiles files;
  files.write("r0", "0 init\n0 test 0 1 2\n");
  files.write("r1", "1 init\n");
  const auto index = make_index(files.write("index", "# names\nr0\n\nr1\n"));
  REQUIRE(index);
  REQUIRE(index.value().ranks.size() == 2);
  CHECK(index.value().ranks[1].file == 1);
  CHECK(index.value().files[1].path() == files.path("r1"));
  CHECK(index.value().ranks[0].has_tests);
  CHECK_FALSE(index.value().ranks[1].has_tests);
}

TEST_CASE("ti index: an index of one file has the lines of all ranks in it") {
  const TraceFiles files;
  files.write("all", "0 init\n1 init\n");
  const auto index = make_index(files.write("index", "all\n"));
  REQUIRE(index);
  CHECK(index.value().ranks.size() == 2);
}

TEST_CASE("ti index: splits and duplicates of communicators are known before the replay") {
  const TraceFiles files;
  const auto index = make_index(files.write(
      "t.ti", "0 comm_split 0 1 2 5\n1 comm_split 0 -1 0 5\n0 comm_dup 5 6\n0 comm_split 3\n0 comm_size 7\n1 init\n"));
  REQUIRE(index);
  const auto& splits = index.value().splits;
  REQUIRE(splits[0].size() == 2);
  CHECK(splits[0][0].parent == 0);
  CHECK(splits[0][0].colour == 1);
  CHECK(splits[0][0].key == 2);
  CHECK(splits[0][0].number == 5);
  CHECK(splits[0][0].line == 1);
  CHECK(splits[0][1].is_duplicate);
  CHECK(splits[0][1].parent == 5);
  CHECK(splits[1].size() == 1);
}

TEST_CASE("ti index: a malformed file has one message with its place") {
  const TraceFiles files;
  std::string path = files.write("t.ti", "0 init\nx init\n");
  CHECK(error_of(path) == path + ":2: a line begins with a rank, a number from 0 on; found: x");
  path = files.write("t.ti", "0 init\n-1 init\n");
  CHECK(error_of(path) == path + ":2: a line begins with a rank, a number from 0 on; found: -1");
  path = files.write("t.ti", "# nothing\n\n");
  CHECK(error_of(path) == path + ": no rank has an action; a line is: RANK ACTION ..., as in: 0 compute 1e9");
  path = files.write("t.ti", "0 comm_split 0 a 0 1\n");
  CHECK(error_of(path) == path + ":1: rank 0: comm_split needs whole numbers; found: a");
  files.write("r0", "0 init\n");
  files.write("r1", "0 init\n");
  path = files.write("index", "r0\nr1\n");
  CHECK(error_of(path) ==
        path + ": rank 1: " + files.path("r1") + ":1: this line is of rank 0, but the file is rank 1's");
  path = files.write("index", "r0\nnothing_there\n");
  CHECK(error_of(path).find("nothing_there: cannot read: ") != std::string::npos);
  CHECK(error_of(files.path("none")).find("cannot read: ") != std::string::npos);
}

TEST_CASE("ti index: one line of a rank with a great number is refused, because the ranks below it have no lines") {
  const TraceFiles files;
  const std::string path = files.write("t.ti", "0 init\n16000000 init\n");
  CHECK(error_of(path).find(path + ":2: rank 16000000 in a file of 21 bytes") == 0);
}

TEST_CASE("ti index: text without null bytes can be a trace") {
  CHECK(looks_like_text_trace("0 init\n"));
  CHECK_FALSE(looks_like_text_trace(std::string_view("0 init\0", 7)));
}

}  // namespace
}  // namespace rehearse::trace::ti
