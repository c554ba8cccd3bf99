// SPDX-License-Identifier: MIT
//
// The functions on operators as programs call them.
#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/smpi/on_rank.hpp"

using namespace rehearse::smpi;
using namespace rehearse::tests;

namespace {

MPI_Datatype seen_type;

void subtract(void* in, void* inout, int* count, MPI_Datatype* type) {
  seen_type = *type;
  for (int i = 0; i < *count; ++i) static_cast<int*>(inout)[i] = static_cast<int*>(in)[i] - static_cast<int*>(inout)[i];
}

void add_many(void* in, void* inout, MPI_Count* count, MPI_Datatype*) {
  for (MPI_Count i = 0; i < *count; ++i) static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
}

}  // namespace

TEST_CASE("operator calls: a local reduction uses predefined and user operators", "[smpi][op]") {
  CHECK(on_rank([] {
          const std::vector<int> in{1, 2, 3};
          std::vector<int> inout{10, 20, 30};
          CHECK(calls::Reduce_local(in.data(), inout.data(), 3, MPI_INT, MPI_SUM) == 0);
          CHECK(inout == std::vector{11, 22, 33});
          MPI_Op op = MPI_OP_NULL, large = MPI_OP_NULL;
          int commute = -1;
          CHECK(calls::Op_create(subtract, 0, &op) == MPI_SUCCESS);
          CHECK(calls::Op_commutative(op, &commute) == MPI_SUCCESS);
          CHECK(commute == 0);
          CHECK(calls::Op_commutative(MPI_MAX, &commute) == MPI_SUCCESS);
          CHECK(commute == 1);
          CHECK(calls::Reduce_local(in.data(), inout.data(), 3, MPI_INT, op) == MPI_SUCCESS);
          CHECK(inout == std::vector{-10, -20, -30});
          CHECK(seen_type == MPI_INT);
          MPI_Datatype triple = MPI_DATATYPE_NULL;
          calls::Type_contiguous(3, MPI_INT, &triple);
          calls::Type_commit(&triple);
          int one = 0;
          CHECK(calls::Reduce_local(&one, inout.data(), 0, triple, op) == MPI_SUCCESS);
          CHECK(calls::Reduce_local(in.data(), inout.data(), 1, triple, op) == MPI_SUCCESS);
          CHECK(seen_type == triple);
          CHECK(calls::Reduce_local(in.data(), inout.data(), 1, triple, MPI_SUM) == MPI_ERR_OP);
          CHECK(calls::Op_create_c(add_many, 1, &large) == MPI_SUCCESS);
          inout = {1, 1, 1};
          CHECK(calls::Reduce_local(in.data(), inout.data(), 3, MPI_INT, large) == MPI_SUCCESS);
          CHECK(inout == std::vector{2, 3, 4});
          calls::Type_free(&triple);
          CHECK(calls::Op_free(&op) == MPI_SUCCESS);
          CHECK(op == MPI_OP_NULL);
          calls::Op_free(&large);
        }).all_ended());
}

TEST_CASE("operator calls: MPI_CHAR is treated as a signed integer, and that is reported", "[smpi][op]") {
  const auto result = on_rank([] {
    signed char a[2] = {-3, 100}, b[2] = {1, 101};
    CHECK(calls::Reduce_local(a, b, 2, MPI_CHAR, MPI_MIN) == MPI_SUCCESS);
    CHECK((b[0] == -3 && b[1] == 100));
    CHECK(calls::Reduce_local(a, b, 2, MPI_CHAR, MPI_SUM) == MPI_SUCCESS);
    CHECK((b[0] == -6 && b[1] == -56));
  });
  REQUIRE(result.all_ended());
}

TEST_CASE("operator calls: wrong operators are named", "[smpi][op]") {
  CHECK(on_rank([] {
          int a = 1, b = 2;
          MPI_Op op = MPI_SUM, null = MPI_OP_NULL;
          double x = 0;
          CHECK(calls::Op_free(&op) == MPI_ERR_OP);
          CHECK(calls::Op_free(&null) == MPI_ERR_OP);
          CHECK(calls::Reduce_local(&a, &b, 1, MPI_INT, MPI_OP_NULL) == MPI_ERR_OP);
          CHECK(calls::Reduce_local(&x, &x, 1, MPI_DOUBLE, MPI_BAND) == MPI_ERR_OP);
          CHECK(calls::Reduce_local(&a, &b, 1, MPI_BYTE, MPI_SUM) == MPI_ERR_OP);
          CHECK(calls::Reduce_local(&a, &b, 1, MPI_CHARACTER, MPI_SUM) == MPI_ERR_OP);
          CHECK(calls::Op_create(nullptr, 1, &op) == MPI_ERR_ARG);
        }).all_ended());
  CHECK(failure_on_rank([] {
          double x = 0, y = 0;
          calls::Reduce_local(&x, &y, 1, MPI_DOUBLE, MPI_BAND);
        }) == "argument.operator: MPI_BAND is not defined on MPI_DOUBLE");
}
