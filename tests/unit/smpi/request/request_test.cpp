// SPDX-License-Identifier: MIT
//
// Nonblocking and persistent operations and every call that completes them.
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "smpi/abi/calls.hpp"
#include "tests/support/mpi_ranks.hpp"

using namespace rehearse;
using namespace rehearse::tests;
namespace calls = rehearse::smpi::calls;

namespace {

using Kinds = std::vector<std::string>;

bool is_empty(const MPI_Status& status) {
  int count = -1;
  calls::Get_count(&status, MPI_BYTE, &count);
  return status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG && count == 0;
}

// Rank 0 sends 10, 11, 12... with tags 0, 1, 2... to rank 1.
void send_numbers(int how_many) {
  for (int i = 0; i < how_many; ++i) {
    const int value = 10 + i;
    calls::Send(&value, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
  }
}

template <std::size_t N>
std::array<MPI_Request, N> receive_numbers(std::array<int, N>& values) {
  std::array<MPI_Request, N> requests{};
  for (std::size_t i = 0; i < N; ++i)
    calls::Irecv(&values[i], 1, MPI_INT, 0, static_cast<int>(i), MPI_COMM_WORLD, &requests[i]);
  return requests;
}

}  // namespace

TEST_CASE("wait: a receive is complete, its handle null", "[smpi][request]") {
  const auto result = run_ranks(2, [](int rank) {
    int value = 31;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status{};
    if (rank == 0) calls::Isend(&value, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &request);
    if (rank == 1) {
      value = 0;
      calls::Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    }
    CHECK(request != MPI_REQUEST_NULL);
    CHECK(calls::Wait(&request, &status) == MPI_SUCCESS);
    CHECK(request == MPI_REQUEST_NULL);
    if (rank == 0) CHECK(is_empty(status));
    if (rank == 1) CHECK((value == 31 && status.MPI_SOURCE == 0 && status.MPI_TAG == 4));
    CHECK(calls::Wait(&request, &status) == MPI_SUCCESS);
    CHECK(is_empty(status));
  });
  CHECK(result.all_ended());
  CHECK(result.operations[1] == Kinds{"post", "observe", "collective"});
}

TEST_CASE("waitall: all are complete in one operation, nulls are empty", "[smpi][request]") {
  const auto result = run_ranks(2, [](int rank) {
    if (rank == 0) return send_numbers(3);
    std::array<int, 3> values{};
    auto some = receive_numbers(values);
    std::array<MPI_Request, 4> requests{some[2], MPI_REQUEST_NULL, some[0], some[1]};
    std::array<MPI_Status, 4> statuses{};
    CHECK(calls::Waitall(4, requests.data(), statuses.data()) == MPI_SUCCESS);
    CHECK(values == std::array{10, 11, 12});
    CHECK((statuses[0].MPI_TAG == 2 && statuses[2].MPI_TAG == 0 && statuses[3].MPI_TAG == 1));
    CHECK(is_empty(statuses[1]));
    for (MPI_Request request : requests) CHECK(request == MPI_REQUEST_NULL);
    CHECK(calls::Waitall(4, requests.data(), MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    CHECK(calls::Waitall(0, nullptr, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
  });
  CHECK(result.all_ended());
  CHECK(result.operations[1] == Kinds{"post", "post", "post", "observe", "collective"});
}

TEST_CASE("waitall: one receive that is too small puts the errors into the statuses", "[smpi][request]") {
  const auto result = run_ranks(2, [](int rank) {
    calls::Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) return send_numbers(2);
    std::array<char, 2> small{};
    int value = 0;
    std::array<MPI_Request, 2> requests{};
    std::array<MPI_Status, 2> statuses{};
    calls::Irecv(small.data(), 2, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &requests[0]);
    calls::Irecv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
    CHECK(calls::Waitall(2, requests.data(), statuses.data()) == MPI_ERR_IN_STATUS);
    CHECK(statuses[0].MPI_ERROR == MPI_ERR_TRUNCATE);
    CHECK(statuses[1].MPI_ERROR == MPI_SUCCESS);
    CHECK(value == 11);
  });
  CHECK(result.all_ended());
}

TEST_CASE("waitall: an error that is fatal names the message", "[smpi][request]") {
  const auto result = run_ranks(2, [](int rank) {
    if (rank == 0) return send_numbers(1);
    std::array<char, 2> small{};
    MPI_Request request{};
    calls::Irecv(small.data(), 2, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
    calls::Waitall(1, &request, MPI_STATUSES_IGNORE);
  });
  CHECK(result.actors[1].id == "message.truncated");
}

TEST_CASE("waitany: returns one request after the other, then MPI_UNDEFINED", "[smpi][request]") {
  const auto result = run_ranks(2, [](int rank) {
    if (rank == 0) return send_numbers(2);
    std::array<int, 2> values{};
    auto requests = receive_numbers(values);
    std::vector<int> indices;
    for (int i = 0; i < 3; ++i) {
      int index = -1;
      MPI_Status status{};
      CHECK(calls::Waitany(2, requests.data(), &index, &status) == MPI_SUCCESS);
      indices.push_back(index);
      if (i == 2) CHECK(is_empty(status));
    }
    std::sort(indices.begin(), indices.end());
    CHECK(indices == std::vector<int>{MPI_UNDEFINED, 0, 1});
    CHECK(values == std::array{10, 11});
  });
  CHECK(result.all_ended());
}

TEST_CASE("waitany: a request that is complete at once is only one of the choices", "[smpi][request]") {
  const auto result = run_ranks(2, [](int rank) {
    if (rank == 0) return send_numbers(1);
    std::array<MPI_Request, 2> requests{};
    int value = 0, index = -1;
    MPI_Status status{};
    calls::Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &requests[0]);
    calls::Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[1]);
    calls::Waitany(2, requests.data(), &index, &status);
    CHECK(index == 1);  // the driver was asked, and says yes where it can
    calls::Waitany(2, requests.data(), &index, &status);
    CHECK((index == 0 && status.MPI_SOURCE == MPI_PROC_NULL));
  });
  CHECK(result.all_ended());
  CHECK(result.operations[1] == Kinds{"post", "test", "collective"});
}

TEST_CASE("waitsome: gives all that are complete, ascending", "[smpi][request]") {
  const auto result = run_ranks(2, [](int rank) {
    if (rank == 0) return send_numbers(2);
    std::array<int, 3> values{};
    auto requests = receive_numbers(values);  // the third message never comes
    int count = 0, seen = 0;
    while (seen < 2) {
      std::array<int, 3> indices{};
      std::array<MPI_Status, 3> statuses{};
      calls::Waitsome(3, requests.data(), &count, indices.data(), statuses.data());
      for (int i = 0; i < count; ++i)
        CHECK(statuses[static_cast<std::size_t>(i)].MPI_TAG == indices[static_cast<std::size_t>(i)]);
      seen += count;
    }
    CHECK((values[0] == 10 && values[1] == 11));
    calls::Request_free(&requests[2]);
    calls::Waitsome(3, requests.data(), &count, nullptr, MPI_STATUSES_IGNORE);
    CHECK(count == MPI_UNDEFINED);
  });
  CHECK(result.all_ended());
  CHECK(result.unmatched_receives == 1);
}

TEST_CASE("test: says no, then yes, then stays yes for the null request", "[smpi][request]") {
  int polls = 0;
  const auto result = run_ranks(2,
                                [&](int rank) {
                                  if (rank == 0) return send_numbers(1);
                                  int value = 0, flag = 0;
                                  MPI_Request request{};
                                  MPI_Status status{};
                                  calls::Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
                                  while (flag == 0) {
                                    calls::Test(&request, &flag, &status);
                                    ++polls;
                                  }
                                  CHECK((value == 10 && status.MPI_SOURCE == 0 && request == MPI_REQUEST_NULL));
                                  flag = 0;
                                  calls::Test(&request, &flag, &status);
                                  CHECK((flag == 1 && is_empty(status)));
                                },
                                {.no_answers = 2});
  CHECK(result.all_ended());
  CHECK(polls >= 3);
}

TEST_CASE("testall, testany, testsome: complete the requests that they report", "[smpi][request]") {
  const int how = GENERATE(0, 1, 2);
  const auto result = run_ranks(2,
                                [&](int rank) {
                                  if (rank == 0) return send_numbers(2);
                                  std::array<int, 2> values{};
                                  auto requests = receive_numbers(values);
                                  std::array<MPI_Status, 2> statuses{};
                                  std::array<int, 2> indices{};
                                  int done = 0;
                                  while (done < 2) {
                                    int flag = 0, index = 0, count = 0;
                                    if (how == 0) {
                                      calls::Testall(2, requests.data(), &flag, statuses.data());
                                      done += 2 * flag;
                                    } else if (how == 1) {
                                      calls::Testany(2, requests.data(), &index, &flag, statuses.data());
                                      CHECK((flag == 1) == (index != MPI_UNDEFINED));
                                      done += flag;
                                    } else {
                                      calls::Testsome(2, requests.data(), &count, indices.data(), statuses.data());
                                      done += count;
                                    }
                                  }
                                  CHECK(values == std::array{10, 11});
                                  for (MPI_Request request : requests) CHECK(request == MPI_REQUEST_NULL);
                                },
                                {.no_answers = 1});
  CHECK(result.all_ended());
}

TEST_CASE("testall, testany, testsome: succeed without active requests", "[smpi][request]") {
  const auto result = run_ranks(1, [](int) {
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int flag = 0, index = 0, count = 0;
    MPI_Status status{};
    calls::Testall(2, requests.data(), &flag, MPI_STATUSES_IGNORE);
    CHECK(flag == 1);
    calls::Testany(2, requests.data(), &index, &flag, &status);
    CHECK((flag == 1 && index == MPI_UNDEFINED && is_empty(status)));
    calls::Testsome(2, requests.data(), &count, &index, MPI_STATUSES_IGNORE);
    CHECK(count == MPI_UNDEFINED);
  });
  CHECK(result.all_ended());
  CHECK(result.operations[0] == Kinds{"collective"});
}

TEST_CASE("request_get_status: reports without freeing", "[smpi][request]") {
  const auto result = run_ranks(2, [](int rank) {
    if (rank == 0) return send_numbers(1);
    int value = 0, flag = 0;
    MPI_Request request{};
    MPI_Status status{};
    calls::Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    while (flag == 0) calls::Request_get_status(request, &flag, &status);
    CHECK((value == 10 && status.MPI_TAG == 0 && request != MPI_REQUEST_NULL));
    calls::Request_get_status(request, &flag, &status);
    CHECK((flag == 1 && status.MPI_SOURCE == 0));
    MPI_Status again{};
    calls::Wait(&request, &again);
    CHECK((again.MPI_SOURCE == 0 && request == MPI_REQUEST_NULL));
  });
  CHECK(result.all_ended());
}

TEST_CASE("request_free: the send still arrives", "[smpi][request]") {
  const auto result = run_ranks(2,
                                [](int rank) {
                                  int value = rank == 0 ? 77 : 0;
                                  MPI_Request request{};
                                  if (rank == 0) {
                                    calls::Isend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
                                    calls::Request_free(&request);
                                    CHECK(request == MPI_REQUEST_NULL);
                                  } else {
                                    calls::Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                                    CHECK(value == 77);
                                  }
                                  calls::Barrier(MPI_COMM_WORLD);  // until then the send needs `value`
                                },
                                {.buffered = false});
  CHECK(result.all_ended());
  CHECK(result.reports.empty());
}

TEST_CASE("nonblocking synchronous send: completes with its receive only", "[smpi][request]") {
  const auto result = run_ranks(2, [](int rank) {
    int value = 1, flag = -1;
    MPI_Request request{};
    if (rank == 0) {
      calls::Issend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
      calls::Test(&request, &flag, MPI_STATUS_IGNORE);
      CHECK(flag == 0);
    }
    calls::Barrier(MPI_COMM_WORLD);
    if (rank == 1) calls::Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) calls::Wait(&request, MPI_STATUS_IGNORE);
  });
  CHECK(result.all_ended());
}

TEST_CASE("requests: a freed or unknown request is an error", "[smpi][request]") {
  const int how = GENERATE(0, 1, 2, 3);
  const auto result = run_ranks(1, [&](int) {
    MPI_Request request{};
    int value = 0;
    calls::Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    MPI_Request stale = request;
    calls::Wait(&request, MPI_STATUS_IGNORE);
    if (how == 0) calls::Wait(&stale, MPI_STATUS_IGNORE);
    if (how == 1) calls::Request_free(&request);
    if (how == 2) calls::Start(&request);
    if (how == 3) calls::Waitall(-1, &stale, MPI_STATUSES_IGNORE);
  });
  CHECK(result.actors[0].id == (how == 3 ? "argument.count" : "argument.request"));
}

TEST_CASE("persistent: can be started many times", "[smpi][request]") {
  const auto result = run_ranks(2, [](int rank) {
    int value = 0;
    MPI_Request request{};
    MPI_Status status{};
    if (rank == 0) calls::Send_init(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request);
    if (rank == 1) calls::Recv_init(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
    calls::Wait(&request, &status);  // inactive: nothing to wait for
    CHECK(is_empty(status));
    for (int round = 1; round <= 3; ++round) {
      if (rank == 0) value = round;
      CHECK((round == 1 ? calls::Startall(1, &request) : calls::Start(&request)) == MPI_SUCCESS);
      CHECK(calls::Wait(&request, &status) == MPI_SUCCESS);
      CHECK(request != MPI_REQUEST_NULL);
      CHECK(value == round);
    }
    calls::Request_free(&request);
    CHECK(request == MPI_REQUEST_NULL);
  });
  CHECK(result.all_ended());
  CHECK(result.reports.empty());
}

TEST_CASE("persistent: starting an active request is an error", "[smpi][request]") {
  const auto result = run_ranks(1, [](int) {
    int value = 0;
    MPI_Request request{};
    calls::Ssend_init(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    calls::Start(&request);
    calls::Start(&request);
  });
  CHECK(result.actors[0].id == "request.active");
}

TEST_CASE("requests: are numbered over all kinds of started operations", "[smpi][request]") {
  const auto result = run_ranks(2, [](int rank) {  // the driver asserts the order
    int value = 0;
    std::array<MPI_Request, 3> requests{};
    calls::Irecv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
    calls::Ibarrier(MPI_COMM_WORLD, &requests[1]);
    calls::Isend(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[2]);
    calls::Barrier(MPI_COMM_WORLD);
    calls::Waitall(3, requests.data(), MPI_STATUSES_IGNORE);
    CHECK(value == 1 - rank);
  });
  CHECK(result.all_ended());
}
