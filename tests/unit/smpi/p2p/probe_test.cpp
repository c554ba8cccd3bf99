// SPDX-License-Identifier: MIT
//
// Probes, buffered sends and statuses.
#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "smpi/abi/calls.hpp"
#include "tests/support/mpi_ranks.hpp"

using namespace rehearse;
using namespace rehearse::tests;
namespace calls = rehearse::smpi::calls;

TEST_CASE("probe: reports size, source and tag, and takes no message", "[smpi][probe]") {
  const bool blocking = GENERATE(true, false);
  const auto result = run_ranks(2,
                                [&](int rank) {
                                  const std::array<double, 3> sent{1, 2, 3};
                                  if (rank == 0) {
                                    calls::Send(sent.data(), 3, MPI_DOUBLE, 1, 6, MPI_COMM_WORLD);
                                    return;
                                  }
                                  MPI_Status status{};
                                  int flag = 0, count = 0;
                                  if (blocking) calls::Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
                                  while (!blocking && flag == 0)
                                    calls::Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
                                  calls::Get_count(&status, MPI_DOUBLE, &count);
                                  CHECK((status.MPI_SOURCE == 0 && status.MPI_TAG == 6 && count == 3));
                                  std::vector<double> data(static_cast<std::size_t>(count));
                                  calls::Recv(data.data(), count, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                                  CHECK(data == std::vector<double>{1, 2, 3});
                                },
                                {.no_answers = 2});
  CHECK(result.all_ended());
}

TEST_CASE("probe: MPI_PROC_NULL has an empty message", "[smpi][probe]") {
  const auto result = run_ranks(1, [](int) {
    MPI_Status status{};
    int flag = 0;
    calls::Probe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
    CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
    calls::Iprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &flag, &status);
    CHECK((flag == 1 && status.MPI_TAG == MPI_ANY_TAG));
  });
  CHECK(result.all_ended());
}

TEST_CASE("buffered send: a message that fits is sent, a larger one is an error", "[smpi][bsend]") {
  const int count = GENERATE(1, 2);  // the buffer has room for one message of 100 bytes
  const auto result = run_ranks(2, [&](int rank) {
    std::array<char, 100 + MPI_BSEND_OVERHEAD> space{};
    std::array<char, 100> data{};
    if (rank == 1) {
      for (int i = 0; i < count; ++i) calls::Recv(data.data(), 100, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      return;
    }
    calls::Buffer_attach(space.data(), space.size());
    for (int i = 0; i < count; ++i) calls::Bsend(data.data(), 100, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    void* address = nullptr;
    int size = 0;
    calls::Buffer_detach(&address, &size);
    CHECK((address == space.data() && size == static_cast<int>(space.size())));
  });
  CHECK(result.all_ended() == (count == 1));
  if (count == 2) CHECK(result.actors[0].id == "buffer.attached");
}

TEST_CASE("buffered send: the buffer can be reused after the rank has received from another", "[smpi][bsend]") {
  const auto result = run_ranks(2, [&](int rank) {
    std::array<char, 10 + MPI_BSEND_OVERHEAD> space{};
    std::array<char, 10> data{};
    if (rank == 0) calls::Buffer_attach(space.data(), space.size());
    for (int i = 0; i < 3; ++i) {
      if (rank == 0) calls::Bsend(data.data(), 10, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
      if (rank == 1) calls::Recv(data.data(), 10, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      calls::Barrier(MPI_COMM_WORLD);
    }
  });
  CHECK(result.all_ended());
}

TEST_CASE("buffered send: without a buffer it is an error", "[smpi][bsend]") {
  const auto result = run_ranks(1, [&](int) {
    char byte = 0;
    MPI_Request request{};
    calls::Ibsend(&byte, 1, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
  });
  CHECK(result.actors[0].id == "buffer.attached");
  CHECK(result.actors[0].what == "no buffer is attached for buffered sends");
}

TEST_CASE("status: elements and counts of a message that ends inside an element", "[smpi][status]") {
  const auto result = run_ranks(1, [](int) {
    MPI_Status status{};
    int count = 0;
    calls::Status_set_elements(&status, MPI_INT, 3);
    calls::Get_count(&status, MPI_INT, &count);
    CHECK(count == 3);
    calls::Get_count(&status, MPI_DOUBLE, &count);
    CHECK(count == MPI_UNDEFINED);
    MPI_Count large = 0;
    calls::Status_set_elements_c(&status, MPI_CHAR, MPI_Count{5} << 32);
    calls::Get_count_c(&status, MPI_CHAR, &large);
    CHECK(large == MPI_Count{5} << 32);
    calls::Get_count(&status, MPI_CHAR, &count);
    CHECK(count == MPI_UNDEFINED);
    int flag = -1;
    calls::Status_set_cancelled(&status, 1);
    calls::Test_cancelled(&status, &flag);
    CHECK(flag == 1);
    calls::Get_count_c(&status, MPI_CHAR, &large);
    CHECK(large == MPI_Count{5} << 32);
    calls::Status_set_source(&status, 4);
    calls::Status_get_source(&status, &flag);
    CHECK(flag == 4);
  });
  CHECK(result.all_ended());
}

TEST_CASE("arguments: each wrong argument is reported with the accepted values", "[smpi][arguments]") {
  struct Case {
    int count;
    MPI_Datatype type;
    int destination, tag;
    MPI_Comm comm;
    const char *id, *what;
  };
  const Case wrong = GENERATE(values<Case>({
      {-1, MPI_INT, 0, 0, MPI_COMM_WORLD, "argument.count", "count is -1; it must not be negative"},
      {1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD, "argument.datatype", ""},
      {1, MPI_INT, 2, 0, MPI_COMM_WORLD, "argument.rank",
       "the destination is 2, but the ranks of MPI_COMM_WORLD are 0 to 1"},
      {1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, "argument.rank",
       "the destination is -1 (MPI_ANY_SOURCE), but the ranks of MPI_COMM_WORLD are 0 to 1"},
      {1, MPI_INT, 0, -1, MPI_COMM_WORLD, "argument.tag", "the tag is -1, but tags are 0 to 2147483647"},
      {1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, "argument.tag",
       "the tag is -2 (MPI_ANY_TAG), but tags are 0 to 2147483647"},
      {1, MPI_INT, 0, 0, MPI_COMM_NULL, "argument.communicator", "the communicator is MPI_COMM_NULL"},
  }));
  const auto result = run_ranks(2, [&](int) {
    int value = 0;
    calls::Send(&value, wrong.count, wrong.type, wrong.destination, wrong.tag, wrong.comm);
  });
  REQUIRE(result.actors[0].state == ActorOutcome::State::failed);
  CHECK(result.actors[0].failure == FailureKind::misuse);
  CHECK(result.actors[0].id == wrong.id);
  if (wrong.what[0] != '\0') CHECK(result.actors[0].what == wrong.what);
}

TEST_CASE("arguments: a null buffer is an error only if data is moved", "[smpi][arguments]") {
  const int count = GENERATE(0, 1);
  const auto result = run_ranks(1, [&](int) {
    calls::Send(nullptr, count, MPI_INT, 0, 0, MPI_COMM_WORLD);
    calls::Recv(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
  CHECK(result.all_ended() == (count == 0));
  if (count == 1) CHECK(result.actors[0].id == "argument.buffer");
}
