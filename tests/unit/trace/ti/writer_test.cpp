// SPDX-License-Identifier: MIT
//
// Traces of calls as text: what is written is read as the same actions.
#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "tests/unit/trace/ti/trace_files.hpp"
#include "trace/conversion.hpp"
#include "trace/inspection.hpp"

namespace rehearse::trace::ti {
namespace {

std::string written(const std::string& path) {
  const auto trace = open_trace(path);
  REQUIRE(trace);
  std::ostringstream out;
  const auto done = write_text(*trace.value(), out);
  REQUIRE(done);
  CHECK(done.value().unsupported.empty());
  return out.str();
}

TEST_CASE("ti writer: an action is written with all of its fields") {
  const TraceFiles files;
  const std::string path = files.write(
      "t.ti",
      "0 init 1\n0 compute 1e9\n0 sleep 0.5\n0 isend 1 7 2\n0 wait 0 1 7\n0 sendRecv 4 1 8 -1 6 6\n0 bcast 3 1 1\n"
      "0 allreduce 4 100\n0 scatter 8 8 0 6 6\n0 reducescatter 1 2 50 bytes=24\n0 recv -1 -1 -1\n0 ibarrier\n"
      "0 waitAny\n0 waitall\n1 init\n");
  CHECK(written(path) ==
        "0 init\n0 compute 1e+09\n0 sleep 0.5\n0 isend 1 7 16 6\n0 wait 0 1 7\n0 sendRecv 4 1 8 -1 6 6\n0 bcast 3 1 1\n"
        "0 allreduce 4 100 0\n0 scatter 8 8 0 6 6\n0 reducescatter 1 2 50 bytes=24\n0 recv -1 -1 -1 6\n0 ibarrier\n"
        "0 waitAny\n0 waitall\n0 finalize\n1 init\n1 finalize\n");
}

TEST_CASE("ti writer: communicators without common members come from one split") {
  const TraceFiles files;
  const std::string path = files.write("t.ti", "0 comm_split 0 0 0 5\n1 comm_split 0 1 0 5\n2 comm_split 0 0 -1 5\n"
                                               "0 comm_dup 0 6\n1 comm_dup 0 6\n2 comm_dup 0 6\n"
                                               "0 barrier comm=5\n2 barrier comm=5\n1 barrier comm=5\n");
  CHECK(written(path) == "0 init\n0 comm_split 0 0 1 1\n0 comm_dup 0 3\n0 barrier comm=1\n0 finalize\n"
                         "1 init\n1 comm_split 0 1 0 2\n1 comm_dup 0 3\n1 barrier comm=2\n1 finalize\n"
                         "2 init\n2 comm_split 0 0 0 1\n2 comm_dup 0 3\n2 barrier comm=1\n2 finalize\n");
}

TEST_CASE("ti writer: text and a recording of it are the same calls") {
  const TraceFiles files;
  const std::string path = files.write("t.ti", "0 init\n0 irecv 1 5 8\n0 irecv 1 6 8\n0 waitAny\n0 waitAny\n0 barrier\n"
                                               "1 init\n1 send 0 5 8\n1 send 0 6 8\n1 barrier\n");
  const auto trace = open_trace(path);
  REQUIRE(trace);
  const std::string recording = files.path("t.rtrace");
  const auto done = write_recording(*trace.value(), recording, "{}");
  REQUIRE(done);
  CHECK_FALSE(done.value().losses.any());
  const auto differences = compare_traces(path, recording, true, {});
  REQUIRE(differences);
  CHECK(differences.value().empty());
  CHECK(written(recording) == written(path));
}

TEST_CASE("ti writer: a trace that cannot be read is an error") {
  const TraceFiles files;
  const auto trace = open_trace(files.write("t.ti", "0 init\n0 fly\n"));
  REQUIRE(trace);
  std::ostringstream out;
  const auto done = write_text(*trace.value(), out);
  REQUIRE_FALSE(done);
  CHECK(done.error().text.find("t.ti:2: rank 0: unknown action fly") != std::string::npos);
}

}  // namespace
}  // namespace rehearse::trace::ti
