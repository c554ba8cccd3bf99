// SPDX-License-Identifier: MIT
//
// Handles as integers and back.
#include <catch2/catch.hpp>
#include <string>

#include "simcore/fiber_program.hpp"
#include "smpi/abi/calls.hpp"
#include "tests/support/round_robin.hpp"

using namespace rehearse;
using namespace rehearse::smpi;

TEST_CASE("integer handles: predefined handles keep their value, others come back as they were", "[smpi]") {
  FiberProgram program({[&] {
    CHECK(calls::Comm_toint(MPI_COMM_WORLD) == 0x101);
    CHECK(calls::Comm_fromint(0x101) == MPI_COMM_WORLD);
    MPI_Init(nullptr, nullptr);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Type_contiguous(2, MPI_INT, &type);
    const int number = calls::Comm_toint(comm);
    CHECK(number >= 0x1000);
    CHECK(calls::Comm_toint(comm) == number);
    CHECK(calls::Type_toint(type) != number);
    CHECK(calls::Comm_fromint(number) == comm);
    CHECK(calls::Type_fromint(calls::Type_toint(type)) == type);
    CHECK(calls::Comm_fromint(-5) == MPI_COMM_NULL);
    CHECK(calls::Type_fromint(1 << 20) == MPI_DATATYPE_NULL);
    CHECK(MPI_Comm_c2f(comm) == number);
    CHECK(MPI_Comm_f2c(number) == comm);
    MPI_Comm_free(&comm);
    MPI_Type_free(&type);
    MPI_Finalize();
  }});
  CHECK(tests::run_round_robin(program).all_ended());
}

TEST_CASE("integer handles: the integer of a freed object names no later object in its place", "[smpi]") {
  FiberProgram program({[&] {
    MPI_Init(nullptr, nullptr);
    for (int i = 0; i < 300; ++i) {
      MPI_Group group = MPI_GROUP_NULL, later = MPI_GROUP_NULL;
      MPI_Comm_group(MPI_COMM_SELF, &group);
      const int number = calls::Group_toint(group);
      const MPI_Group freed = group;
      MPI_Group_free(&group);
      MPI_Comm_group(MPI_COMM_SELF, &later);
      CHECK(calls::Group_toint(later) != number);
      CHECK(calls::Group_fromint(calls::Group_toint(later)) == later);
      CHECK(calls::Group_fromint(number) == freed);
      MPI_Group_free(&later);
    }
    MPI_Finalize();
  }});
  CHECK(tests::run_round_robin(program).all_ended());
}

TEST_CASE("integer handles: a status survives the way to Fortran and back", "[smpi]") {
  MPI_Status status = {1, 2, 3, {4, 5, 6, 7, 8}};
  MPI_Fint words[MPI_F_STATUS_SIZE];
  MPI_Status back = {};
  calls::Status_c2f(&status, words);
  CHECK(words[MPI_F_SOURCE] == 1);
  CHECK(words[MPI_F_TAG] == 2);
  CHECK(words[MPI_F_ERROR] == 3);
  calls::Status_f2c(words, &back);
  CHECK(back.MPI_internal[4] == 8);
}

TEST_CASE("abi: its version and the sizes of its integers can be queried", "[smpi]") {
  FiberProgram program({[] {
    int version[2] = {};
    CHECK(MPI_Abi_get_version(&version[0], &version[1]) == MPI_SUCCESS);
    CHECK(version[0] == 1);
    CHECK(version[1] == 0);
    MPI_Info info = MPI_INFO_NULL;
    MPI_Init(nullptr, nullptr);
    CHECK(MPI_Abi_get_info(&info) == MPI_SUCCESS);
    char value[8] = {};
    int length = sizeof value;
    int found = 0;
    MPI_Info_get_string(info, "mpi_count_size", &length, value, &found);
    CHECK(found == 1);
    CHECK(std::string(value) == "8");
    MPI_Info_free(&info);
    CHECK(MPI_Aint_diff(MPI_Aint_add(7, -3), 4) == 0);
    MPI_Finalize();
  }});
  CHECK(tests::run_round_robin(program).all_ended());
}
