// SPDX-License-Identifier: MIT
//
// Handles mean one object while it lives, and nothing before and after.
#include "smpi/handle_registry.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>

#include "mpi.h"

using namespace rehearse::smpi;

namespace {

using Types = HandleRegistry<MPI_Datatype, int*, HandleKind::datatype>;
using Ops = HandleRegistry<MPI_Datatype, int*, HandleKind::op>;

}  // namespace

TEST_CASE("handle registry: a handle is found until it is erased, and its reuse is another handle", "[smpi]") {
  Types types;
  int a = 1, b = 2;
  const MPI_Datatype first = types.insert(&a, {});
  const MPI_Datatype second = types.insert(&b, {});
  REQUIRE(types.find(first) != nullptr);
  CHECK(*types.find(first) == &a);
  CHECK(*types.find(second) == &b);
  CHECK_FALSE(is_predefined_handle(first));
  CHECK(types.erase(first) == &a);
  CHECK(types.find(first) == nullptr);
  const MPI_Datatype third = types.insert(&a, {});
  CHECK(third != first);
  CHECK(types.find(first) == nullptr);
  CHECK(*types.find(third) == &a);
  CHECK(types.live() == 2);
}

TEST_CASE("handle registry: free slots are used by index, whatever order their handles ended in", "[smpi]") {
  Types types;
  int object = 0;
  std::array<MPI_Datatype, 4> handles{};
  for (MPI_Datatype& handle : handles) handle = types.insert(&object, {});
  for (const std::size_t ended : {2u, 0u, 3u}) types.erase(handles[ended]);
  const auto slot = [](MPI_Datatype handle) { return reinterpret_cast<std::uintptr_t>(handle) >> 4 & 0xfffff; };
  for (const std::size_t next : {0u, 2u, 3u}) CHECK(slot(types.insert(&object, {})) == slot(handles[next]));
}

TEST_CASE("handle registry: a value that is no handle of this kind is not found", "[smpi]") {
  Types types;
  Ops ops;
  int object = 0;
  const MPI_Datatype type = types.insert(&object, {});
  const MPI_Datatype op = ops.insert(&object, {});
  CHECK(types.find(op) == nullptr);
  CHECK(ops.find(type) == nullptr);
  CHECK(types.find(MPI_INT) == nullptr);
  CHECK(types.find(nullptr) == nullptr);
  CHECK(types.find(reinterpret_cast<MPI_Datatype>(&object)) == nullptr);
  CHECK(types.find(reinterpret_cast<MPI_Datatype>(std::uintptr_t{0} - 1)) == nullptr);
}

TEST_CASE("handle registry: live handles are visited with the place of their creation", "[smpi]") {
  Types types;
  int a = 1, b = 2, c = 3;
  types.insert(&a, {"MPI_Type_vector", &a});
  const MPI_Datatype gone = types.insert(&b, {});
  types.insert(&c, {"MPI_Type_dup", &c});
  types.erase(gone);
  std::string seen;
  types.for_each_live([&](MPI_Datatype handle, int* object, const CreationSite& site) {
    CHECK(*types.find(handle) == object);
    CHECK(site.return_address == object);
    seen += std::string(site.function) + " ";
  });
  CHECK(seen == "MPI_Type_vector MPI_Type_dup ");
}
