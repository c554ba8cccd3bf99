// SPDX-License-Identifier: MIT
//
// Lines as actions: names, ranks, sizes, communicators, and the message for each line that nobody can replay.
#include "trace/ti/reader.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <variant>
#include <vector>

#include "tests/unit/trace/ti/trace_files.hpp"

namespace rehearse::trace::ti {
namespace {

struct RankActions {
  std::vector<Action> actions;
  std::string problem, unsupported;

  template <class T>
  const T& at(std::size_t index) const {
    return std::get<T>(actions.at(index).what);
  }
};

// Rank 0 of a trace of three ranks.
RankActions read_rank(const std::string& lines, const std::string& others = "") {
  const TraceFiles files;
  std::string text;
  std::size_t begin = 0;
  while (begin < lines.size()) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    text += "0 " + lines.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  const auto trace = open_trace(files.write("t.ti", text + others + "1 finalize\n2 finalize\n"));
  REQUIRE(trace);
  const auto reader = trace.value()->read(0);
  RankActions all;
  for (Action action; reader->next(action);) all.actions.push_back(action);
  if (reader->problem()) all.problem = reader->problem()->text.substr(files.path("").size());
  if (reader->unsupported()) all.unsupported = *reader->unsupported();
  return all;
}

TEST_CASE("ti reader: names are matched without regard to case, and messages have their sizes") {
  const RankActions rank = read_rank(
      "init\nSend 1 5 10 1\nisend 2 6 3\nSSEND 1 0 1 0\nibsend 1 7 2\nrecv 1 5 10 1\nirecv -1 -444 -1\nfinalize");
  REQUIRE(rank.problem.empty());
  REQUIRE(rank.actions.size() == 6);
  CHECK(rank.at<SendAction>(0).bytes == 40);
  CHECK(rank.at<SendAction>(0).destination == 1);
  CHECK(rank.at<SendAction>(0).blocking);
  CHECK(rank.at<SendAction>(1).bytes == 3);
  CHECK_FALSE(rank.at<SendAction>(1).blocking);
  CHECK(rank.at<SendAction>(1).name == RequestName{0, 2, 6});
  CHECK(rank.at<SendAction>(2).mode == SendMode::synchronous);
  CHECK(rank.at<SendAction>(3).mode == SendMode::buffered);
  CHECK(rank.at<ReceiveAction>(4).bytes == 40);
  const ReceiveAction& any_message = rank.at<ReceiveAction>(5);
  CHECK_FALSE(any_message.source);
  CHECK_FALSE(any_message.tag);
  CHECK_FALSE(any_message.bytes);
  CHECK(any_message.name == RequestName{any, 0, any});
}

TEST_CASE("ti reader: init with an argument makes elements of 8 bytes") {
  CHECK(read_rank("init 1\nsend 1 0 2").at<SendAction>(0).bytes == 16);
  CHECK(read_rank("init\nsend 1 0 2").at<SendAction>(0).bytes == 2);
}

TEST_CASE("ti reader: collectives have the part of the rank") {
  const RankActions rank = read_rank("bcast 4 1 0\nallreduce 4 100 0\nreducescatter 1 2 3 50 1\nscatter 0 8 "
                                     "2\nalltoallv 6 1 2 3 9 3 3 3\nigather 5 0 1 "
                                     "1 1\ngather 7 2 1 1");
  REQUIRE(rank.problem.empty());
  CHECK(rank.at<CollectiveAction>(0).bytes == 0);  // rank 1 is the root
  CHECK(rank.at<CollectiveAction>(0).named_bytes == 32);
  CHECK(rank.at<CollectiveAction>(1).bytes == 32);
  CHECK(rank.at<CollectiveAction>(1).flops == 100);
  CHECK(rank.at<CollectiveAction>(2).bytes == 24);
  CHECK(rank.at<CollectiveAction>(3).received_bytes == 8);
  CHECK(rank.at<CollectiveAction>(3).bytes == 0);
  CHECK(rank.at<CollectiveAction>(4).bytes == 6);
  CHECK_FALSE(rank.at<CollectiveAction>(5).blocking);
  CHECK(rank.at<CollectiveAction>(5).bytes == 20);
  CHECK(rank.at<CollectiveAction>(6).root == 2);  // a received count of 0 is left out
  CHECK(rank.at<CollectiveAction>(6).bytes == 28);
}

TEST_CASE("ti reader: actions are in the communicator of their number, from its line on") {
  const RankActions rank = read_rank("comm_split 0 4 1 9\nbarrier comm=9\nsend 1 0 1 comm=0",
                                     "1 comm_split 0 4 0 9\n2 comm_split 0 -1 0 9\n");
  REQUIRE(rank.problem.empty());
  CHECK(rank.actions[0].communicator == 1);
  CHECK(rank.actions[0].member == 1);
  CHECK(rank.actions[1].communicator == 0);
  CHECK(read_rank("barrier comm=9").problem == "t.ti:1: rank 0: unknown communicator 9");
}

TEST_CASE("ti reader: a split with a communicator behind its numbers makes nothing") {
  const RankActions rank =
      read_rank("comm_dup 0 9 comm=0\ncomm_dup 0 8\nbarrier comm=8", "1 comm_dup 0 8\n2 comm_dup 0 8\n");
  CHECK(rank.actions.size() == 1);
  CHECK(read_rank("comm_dup 0 9 comm=0\nbarrier comm=9").problem == "t.ti:2: rank 0: unknown communicator 9");
}

TEST_CASE("ti reader: what nobody can read has one message with file, line and rank") {
  CHECK(read_rank("init\nfly 1").problem == "t.ti:2: rank 0: unknown action fly");
  CHECK(read_rank("init\nsend 1 2").problem ==
        "t.ti:2: rank 0: send needs destination, tag and count; found: send 1 2");
  CHECK(read_rank("send 3 0 1").problem == "t.ti:1: rank 0: send: rank 3 is not one of the 3 ranks of the trace");
  CHECK(read_rank("alltoallv 6 1 2").problem.find("t.ti:1: rank 0: alltoallv needs a size and a count") == 0);
}

TEST_CASE("ti reader: actions that are not supported are named") {
  CHECK(read_rank("Start 1 0 8 6").unsupported.find("Start in a trace (") == 0);
  CHECK(read_rank("Put 1 0 8").unsupported.find("Put in a trace (") == 0);
  CHECK(read_rank("IO - 1").unsupported.find("IO in a trace (") == 0);
}

TEST_CASE("ti reader: a test that nothing else completes was answered yes") {
  const auto waits_of = [](const std::string& lines) {
    std::vector<std::uint64_t> waits;
    for (const Action& action : read_rank(lines).actions)
      if (std::holds_alternative<WaitAction>(action.what)) waits.push_back(action.line);
    return waits;
  };
  using Lines = std::vector<std::uint64_t>;
  CHECK(waits_of("irecv 1 5 8\ntest 1 0 5\ntest 1 0 5") == Lines{3});
  CHECK(waits_of("irecv 1 5 8\ntest 1 0 5\nwait 1 0 5") == Lines{3});
  CHECK(waits_of("irecv 1 5 8\ntest 1 0 5\nwaitall") == Lines{});
  CHECK(waits_of("irecv 1 5 8\ntest 1 0 5\nirecv 1 5 8\nwait 1 0 5") == Lines{2, 4});
  CHECK(waits_of("irecv 1 5 8\nirecv 1 6 8\ntest 1 0 5\ntest 1 0 6") == Lines{3, 4});
}

}  // namespace
}  // namespace rehearse::trace::ti
