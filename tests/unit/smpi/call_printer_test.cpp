// SPDX-License-Identifier: MIT
//
// The spelling of MPI calls in reports.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "mpi.h"
#include "smpi/abi.hpp"
#include "smpi/abi/call_scope.hpp"

using namespace rehearse::smpi;

namespace {

template <class... Arguments>
std::string spelled(const char* name, Arguments... arguments) {
  const std::vector<std::uint64_t> words = {argument_word(arguments)...};
  for (const FunctionInfo& function : functions()) {
    if (function.name == name) return print_call(function, words);
  }
  return "no such function";
}

int any_buffer[1];
MPI_Status any_status;
int* const buf = any_buffer;

}  // namespace

TEST_CASE("call printer: constants have their names and pointers the names of parameters", "[smpi]") {
  CHECK(spelled("MPI_Recv", buf, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &any_status) ==
        "MPI_Recv(buf, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status)");
  CHECK(spelled("MPI_Recv", buf, 2, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE) ==
        "MPI_Recv(buf, 2, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE)");
  CHECK(spelled("MPI_Send", buf, -1, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_NULL) ==
        "MPI_Send(buf, -1, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_NULL)");
  CHECK(spelled("MPI_Allreduce", MPI_IN_PLACE, buf, 3, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD) ==
        "MPI_Allreduce(MPI_IN_PLACE, recvbuf, 3, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD)");
  MPI_Request requests[2];
  CHECK(spelled("MPI_Waitall", 2, &requests[0], MPI_STATUSES_IGNORE) ==
        "MPI_Waitall(2, array_of_requests, MPI_STATUSES_IGNORE)");
  CHECK(spelled("MPI_Wait", &requests[0], MPI_STATUS_IGNORE) == "MPI_Wait(&request, MPI_STATUS_IGNORE)");
  CHECK(spelled("MPI_Comm_split", MPI_COMM_WORLD, MPI_UNDEFINED, 0, buf) ==
        "MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &newcomm)");
  CHECK(spelled("MPI_Wtime") == "MPI_Wtime()");
  CHECK(spelled("MPI_Pcontrol", 1, 0) == "MPI_Pcontrol(1, ...)");
}

TEST_CASE("call printer: a buffer at no address is NULL where its elements are counted from there", "[smpi]") {
  void* const nowhere = nullptr;
  CHECK(spelled("MPI_Send", nowhere, 0, MPI_INT, 1, 2, MPI_COMM_WORLD) ==
        "MPI_Send(NULL, 0, MPI_INT, 1, 2, MPI_COMM_WORLD)");
  CHECK(spelled("MPI_Send", nowhere, 1, MPI_INT, 1, 2, MPI_COMM_WORLD) ==
        "MPI_Send(NULL, 1, MPI_INT, 1, 2, MPI_COMM_WORLD)");
  CHECK(spelled("MPI_Bcast", nowhere, 1, MPI_INT, 0, MPI_COMM_WORLD) ==
        "MPI_Bcast(NULL, 1, MPI_INT, 0, MPI_COMM_WORLD)");
}

TEST_CASE("call printer: a number has a constant's name only where that has a meaning", "[smpi]") {
  CHECK(spelled("MPI_Recv", buf, 1, MPI_INT, MPI_ANY_TAG, MPI_ANY_SOURCE, MPI_COMM_WORLD, &any_status) ==
        "MPI_Recv(buf, 1, MPI_INT, -2, -1, MPI_COMM_WORLD, &status)");
  CHECK(spelled("MPI_Bcast", buf, 1, MPI_INT, MPI_UNDEFINED, MPI_COMM_WORLD) ==
        "MPI_Bcast(buffer, 1, MPI_INT, -32766, MPI_COMM_WORLD)");
}

TEST_CASE("call printer: numbers whose meaning is a set of constants are spelled with them", "[smpi]") {
  CHECK(spelled("MPI_File_open", MPI_COMM_SELF, buf, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, buf) ==
        "MPI_File_open(MPI_COMM_SELF, filename, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh)");
  CHECK(spelled("MPI_Win_lock", MPI_LOCK_SHARED, 0, 0, MPI_WIN_NULL) ==
        "MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, MPI_WIN_NULL)");
  CHECK(spelled("MPI_Init_thread", buf, buf, MPI_THREAD_MULTIPLE, buf) ==
        "MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided)");
  CHECK(spelled("MPI_Comm_create_keyval", MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, buf, buf) ==
        "MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &comm_keyval, extra_state)");
  CHECK(spelled("MPI_Abort", MPI_COMM_WORLD, 1) == "MPI_Abort(MPI_COMM_WORLD, 1)");
}

TEST_CASE("call printer: an unknown handle is shown by its parameter", "[smpi]") {
  const auto stray = reinterpret_cast<MPI_Datatype>(0x7f0012345678);
  CHECK(spelled("MPI_Send", buf, 1, stray, 1, 2, MPI_COMM_WORLD) == "MPI_Send(buf, 1, datatype, 1, 2, MPI_COMM_WORLD)");
}
