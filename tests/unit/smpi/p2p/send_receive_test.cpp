// SPDX-License-Identifier: MIT
//
// Blocking point-to-point calls: data, envelopes, statuses, wildcards, modes, errors.
#include <array>
#include <catch2/catch.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "smpi/abi/calls.hpp"
#include "tests/support/mpi_ranks.hpp"

using namespace rehearse;
using namespace rehearse::tests;
namespace calls = rehearse::smpi::calls;

namespace {

int count_of(const MPI_Status& status, MPI_Datatype type) {
  int count = -1;
  calls::Get_count(&status, type, &count);
  return count;
}

}  // namespace

TEST_CASE("send: a message arrives with its data, source, tag and count", "[smpi][p2p]") {
  const int count = GENERATE(0, 1, 7, 1000);
  std::vector<int> received(static_cast<std::size_t>(count) + 5, -1);
  MPI_Status status{};
  const auto result = run_ranks(2, [&](int rank) {
    std::vector<int> data(static_cast<std::size_t>(count) + 5);
    std::iota(data.begin(), data.end(), 100);
    if (rank == 0) CHECK(calls::Send(data.data(), count, MPI_INT, 1, 42, MPI_COMM_WORLD) == 0);
    if (rank == 0) return;
    CHECK(calls::Recv(received.data(), count + 5, MPI_INT, 0, 42, MPI_COMM_WORLD, &status) == 0);
    CHECK(count_of(status, MPI_INT) == count);
  });
  REQUIRE(result.all_ended());
  CHECK(result.reports.empty());
  CHECK(status.MPI_SOURCE == 0);
  CHECK(status.MPI_TAG == 42);
  for (int i = 0; i < count; ++i) REQUIRE(received[static_cast<std::size_t>(i)] == 100 + i);
  CHECK(received[static_cast<std::size_t>(count)] == -1);
}

TEST_CASE("send: each mode is one blocking operation, and only the synchronous waits", "[smpi][p2p]") {
  using Function = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm);
  const auto [function, waits] = GENERATE(table<Function, bool>(
      {{calls::Send, false}, {calls::Ssend, true}, {calls::Rsend, false}, {calls::Bsend, false}}));
  std::array<char, 4096> space{};
  const auto result = run_ranks(2, [&, send = function](int rank) {
    int value = 5;
    if (rank == 0) {
      calls::Buffer_attach(space.data(), space.size());
      send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
  });
  CHECK(result.operations[0][0] == "send");
  CHECK(result.unmatched_sends == 1);
  CHECK((result.actors[0].state == ActorOutcome::State::blocked) == waits);
}

TEST_CASE("send: without buffering a standard send waits for its receive", "[smpi][p2p]") {
  const bool buffered = GENERATE(true, false);
  const auto result = run_ranks(2,
                                [&](int rank) {
                                  int mine = rank, theirs = -1;
                                  calls::Send(&mine, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
                                  calls::Recv(&theirs, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                                  CHECK(theirs == 1 - rank);
                                },
                                {.buffered = buffered});
  CHECK(result.all_ended() == buffered);
}

TEST_CASE("receive: wildcards take any source and any tag, and the status names them", "[smpi][p2p]") {
  std::array<MPI_Status, 2> statuses{};
  std::array<int, 2> values{};
  const auto result = run_ranks(3, [&](int rank) {
    int value = rank * 10;
    if (rank > 0) calls::Send(&value, 1, MPI_INT, 0, rank, MPI_COMM_WORLD);
    for (std::size_t i = 0; rank == 0 && i < 2; ++i)
      calls::Recv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &statuses[i]);
  });
  REQUIRE(result.all_ended());
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(statuses[i].MPI_TAG == statuses[i].MPI_SOURCE);
    CHECK(values[i] == statuses[i].MPI_SOURCE * 10);
  }
  CHECK(statuses[0].MPI_SOURCE + statuses[1].MPI_SOURCE == 3);
}

TEST_CASE("receive: a tag selects a later message", "[smpi][p2p]") {
  std::array<int, 2> values{};
  const auto result = run_ranks(2, [&](int rank) {
    for (int tag : {1, 2})
      if (rank == 0) calls::Send(&tag, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    if (rank == 1) {
      calls::Recv(&values[0], 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      calls::Recv(&values[1], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  });
  REQUIRE(result.all_ended());
  CHECK(values == std::array{2, 1});
}

TEST_CASE("send and receive: MPI_PROC_NULL needs no partner and gives an empty message", "[smpi][p2p]") {
  const auto result = run_ranks(1, [](int) {
    int value = 3;
    MPI_Status status{};
    CHECK(calls::Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(calls::Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
    CHECK(value == 3);
    CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
    CHECK(status.MPI_TAG == MPI_ANY_TAG);
    CHECK(count_of(status, MPI_INT) == 0);
  });
  CHECK(result.all_ended());
  CHECK(result.operations[0] == std::vector<std::string>{"collective"});  // MPI_Finalize
}

TEST_CASE("receive: a message that is too long is an error", "[smpi][p2p]") {
  const auto result = run_ranks(2, [](int rank) {
    std::array<int, 3> data{};
    if (rank == 0) calls::Send(data.data(), 3, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) calls::Recv(data.data(), 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
  REQUIRE(result.actors[1].state == ActorOutcome::State::failed);
  CHECK(result.actors[1].failure == FailureKind::misuse);
  CHECK(result.actors[1].id == "message.truncated");
  CHECK(result.actors[1].what ==
        "the message from rank 0 with tag 0 has 3 MPI_INT (12 bytes), but the receive has room for 2 MPI_INT "
        "(8 bytes)");
}

TEST_CASE("receive: the first part of a message that is too long is kept if errors return", "[smpi][p2p]") {
  std::array<int, 3> data{};
  MPI_Status status{};
  const auto result = run_ranks(2, [&](int rank) {
    std::array<int, 3> source{7, 8, 9};
    if (rank == 0) calls::Send(source.data(), 3, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 0) return;
    calls::Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(calls::Recv(data.data(), 2, MPI_INT, 0, 0, MPI_COMM_WORLD, &status) == MPI_ERR_TRUNCATE);
  });
  CHECK(result.all_ended());
  CHECK(data == std::array{7, 8, 0});
}

TEST_CASE("receive: a message of other types is reported, and received", "[smpi][p2p]") {
  const auto [sent, received, reports] = GENERATE(table<MPI_Datatype, MPI_Datatype, std::size_t>(
      {{MPI_INT, MPI_INT, 0}, {MPI_INT, MPI_FLOAT, 1}, {MPI_INT, MPI_PACKED, 0}}));
  const int room = received == MPI_PACKED ? 8 : 2;
  const auto result = run_ranks(2, [&, from = sent, to = received](int rank) {
    std::array<int, 2> data{};
    if (rank == 0) calls::Send(data.data(), 1, from, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) calls::Recv(data.data(), room, to, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
  CHECK(result.all_ended());
  REQUIRE(result.reports.size() == reports);
  if (reports > 0) CHECK(result.reports[0].id == "message.type");
}

TEST_CASE("sendrecv: exchanges data in a ring without buffering, also in one buffer", "[smpi][p2p]") {
  const bool replace = GENERATE(false, true);
  const auto result =
      run_ranks(3,
                [&](int rank) {
                  const int right = (rank + 1) % 3, left = (rank + 2) % 3;
                  int value = rank, got = rank;
                  MPI_Status status{};
                  if (replace) {
                    calls::Sendrecv_replace(&got, 1, MPI_INT, right, 1, left, 1, MPI_COMM_WORLD, &status);
                  } else {
                    calls::Sendrecv(&value, 1, MPI_INT, right, 1, &got, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &status);
                  }
                  CHECK(got == left);
                  CHECK(status.MPI_SOURCE == left);
                },
                {.buffered = false});
  CHECK(result.all_ended());
  CHECK(result.operations[0] == std::vector<std::string>{"send", "post", "observe", "collective"});
}

TEST_CASE("sendrecv: either side may be MPI_PROC_NULL", "[smpi][p2p]") {
  const auto result = run_ranks(2, [&](int rank) {
    int value = rank + 5, got = -1;
    MPI_Status status{};
    calls::Sendrecv(&value, 1, MPI_INT, rank == 0 ? 1 : MPI_PROC_NULL, 0, &got, 1, MPI_INT,
                    rank == 0 ? MPI_PROC_NULL : 0, 0, MPI_COMM_WORLD, &status);
    CHECK(got == (rank == 0 ? -1 : 5));
    CHECK(status.MPI_SOURCE == (rank == 0 ? MPI_PROC_NULL : 0));
    calls::Sendrecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, &got, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  });
  CHECK(result.all_ended());
}

TEST_CASE("send: a rank can send to itself", "[smpi][p2p]") {
  const auto result = run_ranks(1, [](int) {
    int value = 9, got = 0;
    calls::Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    calls::Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    CHECK(got == 9);
  });
  CHECK(result.all_ended());
}
TEST_CASE("send: data that is not contiguous is packed and unpacked", "[smpi][p2p]") {
  std::array<int, 8> received{};
  const auto result = run_ranks(2, [&](int rank) {
    MPI_Datatype every_other = MPI_DATATYPE_NULL;
    calls::Type_vector(4, 1, 2, MPI_INT, &every_other);
    calls::Type_commit(&every_other);
    const std::array<int, 8> data{0, 1, 2, 3, 4, 5, 6, 7};
    if (rank == 0) calls::Send(data.data(), 1, every_other, 1, 0, MPI_COMM_WORLD);
    MPI_Status status{};
    if (rank == 1) {
      calls::Recv(received.data(), 1, every_other, 0, 0, MPI_COMM_WORLD, &status);
      CHECK(count_of(status, every_other) == 1);
      CHECK(count_of(status, MPI_INT) == 4);
    }
    calls::Type_free(&every_other);
  });
  CHECK(result.all_ended());
  CHECK(received == std::array{0, 0, 2, 0, 4, 0, 6, 0});
}
