// SPDX-License-Identifier: MIT
//
// mpi.h against values typed by hand from the standard's ABI chapter.
#include <catch2/catch.hpp>
#include <cstdint>
#include <type_traits>

#include "mpi.h"

namespace {

std::uintptr_t word(const void* handle) { return reinterpret_cast<std::uintptr_t>(handle); }

}  // namespace

TEST_CASE("mpi.h: predefined handles have the values of the standard ABI", "[smpi]") {
  CHECK(word(MPI_OP_NULL) == 0x20);
  CHECK(word(MPI_SUM) == 0x21);
  CHECK(word(MPI_MAXLOC) == 0x39);
  CHECK(word(MPI_COMM_NULL) == 0x100);
  CHECK(word(MPI_COMM_WORLD) == 0x101);
  CHECK(word(MPI_COMM_SELF) == 0x102);
  CHECK(word(MPI_GROUP_EMPTY) == 0x109);
  CHECK(word(MPI_WIN_NULL) == 0x110);
  CHECK(word(MPI_FILE_NULL) == 0x118);
  CHECK(word(MPI_SESSION_NULL) == 0x120);
  CHECK(word(MPI_MESSAGE_NO_PROC) == 0x129);
  CHECK(word(MPI_INFO_NULL) == 0x130);
  CHECK(word(MPI_ERRORS_ARE_FATAL) == 0x141);
  CHECK(word(MPI_REQUEST_NULL) == 0x180);
  CHECK(word(MPI_DATATYPE_NULL) == 0x200);
  CHECK(word(MPI_INT) == 0x209);
  CHECK(word(MPI_DOUBLE) == 0x214);
  CHECK(word(MPI_INT8_T) == 0x240);
  CHECK(word(MPI_INT64_T) == 0x258);
  CHECK(word(MPI_LOGICAL16) == 0x2e0);
}

TEST_CASE("mpi.h: integer constants have the values of the standard ABI", "[smpi]") {
  CHECK(MPI_VERSION == 5);
  CHECK(MPI_ABI_VERSION == 1);
  CHECK(MPI_ANY_SOURCE == -1);
  CHECK(MPI_ANY_TAG == -2);
  CHECK(MPI_PROC_NULL == -3);
  CHECK(MPI_ROOT == -4);
  CHECK(MPI_UNDEFINED == -32766);
  CHECK(MPI_SUCCESS == 0);
  CHECK(MPI_ERR_TRUNCATE == 15);
  CHECK(MPI_ERR_LASTCODE == 16383);
  CHECK(MPI_THREAD_MULTIPLE == 4096);
  CHECK(MPI_TAG_UB == 501);
  CHECK(MPI_IDENT == 201);
  CHECK(MPI_LOCK_SHARED == 302);
  CHECK(MPI_MAX_PROCESSOR_NAME == 256);
  CHECK(MPI_BSEND_OVERHEAD == 512);
  CHECK(word(MPI_IN_PLACE) == 1);
  CHECK(word(MPI_UNWEIGHTED) == 10);
  CHECK(MPI_DISPLACEMENT_CURRENT == MPI_Offset{-1});
}

TEST_CASE("mpi.h: types have the layout of the standard ABI", "[smpi]") {
  CHECK(sizeof(MPI_Status) == 32);
  CHECK(offsetof(MPI_Status, MPI_SOURCE) == 0);
  CHECK(offsetof(MPI_Status, MPI_TAG) == 4);
  CHECK(offsetof(MPI_Status, MPI_ERROR) == 8);
  CHECK(sizeof(MPI_Comm) == sizeof(void*));
  CHECK(std::is_same_v<MPI_Aint, std::intptr_t>);
  CHECK(std::is_same_v<MPI_Count, std::int64_t>);
  CHECK(std::is_same_v<MPI_Offset, std::int64_t>);
}
