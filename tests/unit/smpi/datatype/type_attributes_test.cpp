// SPDX-License-Identifier: MIT
//
// Attributes of datatypes: set, copied by MPI_Type_dup, deleted by MPI_Type_free.
#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/smpi/on_rank.hpp"

using namespace rehearse::smpi;
using namespace rehearse::tests;

namespace {

// Callbacks write down that they were called; the extra state is the log.
int copy_twice_the_value(MPI_Datatype, int, void* log, void* value, void* copy, int* flag) {
  *static_cast<std::string*>(log) += "copy ";
  *static_cast<std::intptr_t*>(copy) = 2 * reinterpret_cast<std::intptr_t>(value);
  *flag = 1;
  return MPI_SUCCESS;
}

int note_deletion(MPI_Datatype, int, void* value, void* log) {
  *static_cast<std::string*>(log) += "delete" + std::to_string(reinterpret_cast<std::intptr_t>(value)) + " ";
  return MPI_SUCCESS;
}

int refuse(MPI_Datatype, int, void*, void*) { return MPI_ERR_OTHER; }

void* value_of(std::intptr_t number) { return reinterpret_cast<void*>(number); }

std::intptr_t attribute_of(MPI_Datatype type, int key) {
  void* value = nullptr;
  int flag = 0;
  CHECK(calls::Type_get_attr(type, key, &value, &flag) == MPI_SUCCESS);
  return flag == 0 ? -1 : reinterpret_cast<std::intptr_t>(value);
}

}  // namespace

TEST_CASE("type attributes: callbacks copy on dup and delete on free", "[smpi][datatype]") {
  std::string log;
  CHECK(on_rank([&] {
          int key = 0, plain = 0, lost = 0;
          MPI_Datatype type = MPI_DATATYPE_NULL, copy = MPI_DATATYPE_NULL;
          calls::Type_create_keyval(copy_twice_the_value, note_deletion, &key, &log);
          calls::Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &plain, nullptr);
          calls::Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &lost, nullptr);
          calls::Type_contiguous(2, MPI_INT, &type);
          CHECK(attribute_of(type, key) == -1);
          CHECK(calls::Type_set_attr(type, key, value_of(5)) == MPI_SUCCESS);
          CHECK(calls::Type_set_attr(type, plain, value_of(6)) == MPI_SUCCESS);
          CHECK(calls::Type_set_attr(type, lost, value_of(7)) == MPI_SUCCESS);
          CHECK(calls::Type_dup(type, &copy) == MPI_SUCCESS);
          CHECK(attribute_of(copy, key) == 10);
          CHECK(attribute_of(copy, plain) == 6);
          CHECK(attribute_of(copy, lost) == -1);
          CHECK(attribute_of(type, key) == 5);
          CHECK(calls::Type_set_attr(type, key, value_of(8)) == MPI_SUCCESS);
          CHECK(calls::Type_delete_attr(copy, key) == MPI_SUCCESS);
          int freed = key;
          CHECK(calls::Type_free_keyval(&key) == MPI_SUCCESS);
          CHECK(key == MPI_KEYVAL_INVALID);
          CHECK(calls::Type_set_attr(copy, freed, nullptr) == MPI_ERR_KEYVAL);
          CHECK(calls::Type_free(&copy) == MPI_SUCCESS);
          CHECK(calls::Type_free(&type) == MPI_SUCCESS);
        }).all_ended());
  CHECK(log == "copy delete5 delete10 delete8 ");
}

TEST_CASE("type attributes: predefined types may have them, a refusal keeps the type", "[smpi][datatype]") {
  CHECK(on_rank([] {
          int key = 0;
          MPI_Datatype type = MPI_DATATYPE_NULL;
          calls::Type_create_keyval(MPI_TYPE_NULL_COPY_FN, refuse, &key, nullptr);
          CHECK(calls::Type_set_attr(MPI_INT, key, value_of(1)) == MPI_SUCCESS);
          CHECK(attribute_of(MPI_INT, key) == 1);
          CHECK(attribute_of(MPI_DOUBLE, key) == -1);
          calls::Type_contiguous(2, MPI_INT, &type);
          calls::Type_set_attr(type, key, nullptr);
          CHECK(calls::Type_free(&type) == MPI_ERR_OTHER);
          CHECK(calls::Type_commit(&type) == MPI_SUCCESS);
          CHECK(calls::Type_set_attr(MPI_INT, 3, nullptr) == MPI_ERR_KEYVAL);
        }).all_ended());
}
