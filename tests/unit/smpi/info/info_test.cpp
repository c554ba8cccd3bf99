// SPDX-License-Identifier: MIT
//
// Info objects.
#include <array>
#include <catch2/catch.hpp>
#include <string>

#include "smpi/abi/calls.hpp"
#include "tests/support/mpi_ranks.hpp"

using namespace rehearse;
using namespace rehearse::tests;
namespace calls = rehearse::smpi::calls;

namespace {

// The value of a key, or "(none)".
std::string value_of(MPI_Info info, const char* key) {
  std::array<char, MPI_MAX_INFO_VAL + 1> value{};
  int flag = 0;
  calls::Info_get(info, key, MPI_MAX_INFO_VAL, value.data(), &flag);
  return flag == 0 ? "(none)" : value.data();
}

int count_of(MPI_Info info) {
  int count = -1;
  calls::Info_get_nkeys(info, &count);
  return count;
}

}  // namespace

TEST_CASE("info: keys keep their order, a value can be replaced", "[smpi][info]") {
  const auto result = run_ranks(1, [](int) {
    MPI_Info info = MPI_INFO_NULL, copy = MPI_INFO_NULL;
    calls::Info_create(&info);
    CHECK(count_of(info) == 0);
    calls::Info_set(info, "b", "1");
    calls::Info_set(info, "a", "2");
    calls::Info_set(info, "b", "3");
    CHECK((value_of(info, "b") == "3" && value_of(info, "a") == "2" && value_of(info, "c") == "(none)"));
    std::array<char, MPI_MAX_INFO_KEY + 1> key{};
    calls::Info_get_nthkey(info, 0, key.data());
    CHECK(std::string(key.data()) == "b");
    calls::Info_dup(info, &copy);
    calls::Info_delete(info, "b");
    CHECK((count_of(info) == 1 && count_of(copy) == 2));
    calls::Info_free(&info);
    calls::Info_free(&copy);
    CHECK(info == MPI_INFO_NULL);
  });
  CHECK(result.all_ended());
  CHECK(result.reports.empty());
}

TEST_CASE("info: a value is cut to the size of the program's buffer", "[smpi][info]") {
  const auto result = run_ranks(1, [](int) {
    MPI_Info info = MPI_INFO_NULL;
    calls::Info_create(&info);
    calls::Info_set(info, "key", "value");
    std::array<char, 4> small{};
    int flag = 0, length = 4;
    calls::Info_get_string(info, "key", &length, small.data(), &flag);
    CHECK((flag == 1 && std::string(small.data()) == "val" && length == 6));
    calls::Info_get(info, "key", 2, small.data(), &flag);
    CHECK(std::string(small.data()) == "va");
    calls::Info_get_valuelen(info, "key", &length, &flag);
    CHECK((flag == 1 && length == 5));
    calls::Info_free(&info);
  });
  CHECK(result.all_ended());
}

TEST_CASE("info: wrong objects and keys are errors", "[smpi][info]") {
  const int how = GENERATE(0, 1, 2, 3);
  const auto result = run_ranks(1, [&](int) {
    MPI_Info info = MPI_INFO_NULL;
    if (how == 0) calls::Info_free(&info);
    calls::Info_create(&info);
    if (how == 1) calls::Info_set(info, "", "x");
    if (how == 2) calls::Info_delete(info, "absent");
    MPI_Info stale = info;
    calls::Info_free(&info);
    if (how == 3) calls::Info_set(stale, "a", "b");
  });
  CHECK(result.actors[0].id == "argument.info");
}

TEST_CASE("info: a communicator keeps its hints, and its copy has only those it was made with", "[smpi][info]") {
  const auto result = run_ranks(1, [](int) {
    MPI_Info info = MPI_INFO_NULL, got = MPI_INFO_NULL;
    MPI_Comm copy = MPI_COMM_NULL;
    calls::Info_create(&info);
    calls::Info_set(info, "hint", "yes");
    calls::Comm_set_info(MPI_COMM_WORLD, info);
    calls::Comm_get_info(MPI_COMM_WORLD, &got);
    CHECK(value_of(got, "hint") == "yes");
    calls::Info_free(&got);
    calls::Comm_dup(MPI_COMM_WORLD, &copy);
    calls::Comm_get_info(copy, &got);
    CHECK(value_of(got, "hint") == "(none)");
    calls::Info_free(&got);
    calls::Comm_free(&copy);
    calls::Comm_dup_with_info(MPI_COMM_WORLD, info, &copy);
    calls::Comm_get_info(copy, &got);
    CHECK(value_of(got, "hint") == "yes");
    calls::Info_free(&info);
    calls::Info_free(&got);
    calls::Comm_free(&copy);
  });
  CHECK(result.all_ended());
}
