// SPDX-License-Identifier: MIT
//
// Attributes of communicators: callbacks and when they are called.
#include <array>
#include <catch2/catch.hpp>
#include <limits>
#include <vector>

#include "smpi/abi/calls.hpp"
#include "tests/support/mpi_ranks.hpp"

using namespace rehearse;
using namespace rehearse::tests;
namespace calls = rehearse::smpi::calls;

namespace {

const MPI_Comm world = MPI_COMM_WORLD;

// Copies a value plus one; an odd value is not copied.
int copy_even(MPI_Comm, int, void* extra, void* value, void* out, int* flag) {
  ++*static_cast<int*>(extra);
  const auto number = reinterpret_cast<long>(value);
  *flag = number % 2 == 0 ? 1 : 0;
  *static_cast<long*>(out) = number + 1;
  return MPI_SUCCESS;
}

int note_removal(MPI_Comm, int, void* value, void* extra) {
  static_cast<std::vector<long>*>(extra)->push_back(reinterpret_cast<long>(value));
  return MPI_SUCCESS;
}

int refuse(MPI_Comm, int, void*, void*) { return MPI_ERR_OTHER; }

void* as_value(long number) { return reinterpret_cast<void*>(number); }

// The attribute's value, or -1.
long value_of(MPI_Comm comm, int key) {
  long value = 0;
  int flag = 0;
  calls::Comm_get_attr(comm, key, &value, &flag);
  return flag == 0 ? -1 : value;
}

}  // namespace

TEST_CASE("attribute: the predefined ones are read through a pointer", "[smpi][attribute]") {
  const auto result = run_ranks(3, [](int) {
    const auto predefined = [](int key) {
      int* value = nullptr;
      int flag = 0;
      calls::Comm_get_attr(world, key, &value, &flag);
      return flag == 0 ? -99 : *value;
    };
    CHECK(predefined(MPI_TAG_UB) == std::numeric_limits<int>::max());
    CHECK(predefined(MPI_WTIME_IS_GLOBAL) == 1);
    CHECK(predefined(MPI_UNIVERSE_SIZE) == 3);
    CHECK(predefined(MPI_APPNUM) == 0);
    CHECK(predefined(MPI_HOST) == MPI_PROC_NULL);
    int added = 0;
    calls::Add_error_class(&added);
    CHECK(predefined(MPI_LASTUSEDCODE) == added);
  });
  CHECK(result.all_ended());
}

TEST_CASE("attribute: set, replaced, deleted, each with its callback", "[smpi][attribute]") {
  const auto result = run_ranks(1, [](int) {
    std::vector<long> removed;
    int key = MPI_KEYVAL_INVALID;
    calls::Comm_create_keyval(MPI_COMM_NULL_COPY_FN, note_removal, &key, &removed);
    CHECK(value_of(world, key) == -1);
    calls::Comm_set_attr(world, key, as_value(7));
    CHECK(value_of(world, key) == 7);
    calls::Comm_set_attr(world, key, as_value(8));
    CHECK(removed == std::vector{7L});
    calls::Comm_delete_attr(world, key);
    CHECK(removed == std::vector{7L, 8L});
    CHECK(value_of(world, key) == -1);
    calls::Comm_free_keyval(&key);
    CHECK(key == MPI_KEYVAL_INVALID);
  });
  CHECK(result.all_ended());
}

TEST_CASE("attribute: copied by a dup as its callback says", "[smpi][attribute]") {
  const auto result = run_ranks(1, [](int) {
    int copies = 0;
    std::array<int, 4> keys{};
    calls::Comm_create_keyval(copy_even, MPI_COMM_NULL_DELETE_FN, &keys[0], &copies);
    calls::Comm_create_keyval(copy_even, MPI_COMM_NULL_DELETE_FN, &keys[1], &copies);
    calls::Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keys[2], nullptr);
    calls::Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keys[3], nullptr);
    for (int key : keys) calls::Comm_set_attr(world, key, as_value(key == keys[1] ? 3 : 4));
    MPI_Comm copy = MPI_COMM_NULL;
    calls::Comm_dup(world, &copy);
    CHECK(copies == 2);
    CHECK(value_of(copy, keys[0]) == 5);
    CHECK(value_of(copy, keys[1]) == -1);
    CHECK(value_of(copy, keys[2]) == 4);
    CHECK(value_of(copy, keys[3]) == -1);
    calls::Comm_free(&copy);
  });
  CHECK(result.all_ended());
}

TEST_CASE("attribute: deleted with its communicator, the last set first", "[smpi][attribute]") {
  static std::vector<long> removed;
  removed.clear();
  const auto result = run_ranks(1, [](int) {
    std::array<int, 2> keys{};
    MPI_Comm copy = MPI_COMM_NULL;
    calls::Comm_dup(world, &copy);
    for (std::size_t i = 0; i < 2; ++i) {
      calls::Comm_create_keyval(MPI_COMM_NULL_COPY_FN, note_removal, &keys[i], &removed);
      calls::Comm_set_attr(copy, keys[i], as_value(static_cast<long>(i) + 1));
    }
    calls::Comm_free(&copy);
    CHECK(removed == std::vector{2L, 1L});
    calls::Comm_set_attr(MPI_COMM_SELF, keys[0], as_value(9));  // MPI_Finalize deletes it
    calls::Comm_free_keyval(&keys[0]);
  });
  CHECK(result.all_ended());
  CHECK(removed == std::vector{2L, 1L, 9L});
}

TEST_CASE("attribute: a callback that refuses keeps the communicator", "[smpi][attribute]") {
  const auto result = run_ranks(1, [](int) {
    MPI_Comm copy = MPI_COMM_NULL;
    int key = MPI_KEYVAL_INVALID;
    calls::Comm_dup(world, &copy);
    calls::Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
    calls::Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse, &key, nullptr);
    calls::Comm_set_attr(copy, key, nullptr);
    CHECK(calls::Comm_delete_attr(copy, key) == MPI_ERR_OTHER);
    CHECK(calls::Comm_free(&copy) == MPI_ERR_OTHER);
    CHECK(value_of(copy, key) == 0);
  });
  CHECK(result.all_ended());
}

TEST_CASE("attribute: a key that was freed or is predefined cannot be set", "[smpi][attribute]") {
  const bool predefined = GENERATE(true, false);
  const auto result = run_ranks(1, [&](int) {
    int key = MPI_TAG_UB;
    if (!predefined) {
      calls::Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, nullptr);
      int freed = key;
      calls::Comm_free_keyval(&freed);
    }
    calls::Comm_set_attr(world, key, nullptr);
  });
  CHECK(result.actors[0].id == "argument.keyval");
}
