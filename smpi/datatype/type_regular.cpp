// SPDX-License-Identifier: MIT
//
// Datatypes of equal blocks at equal distances, and copies of datatypes with other bounds.
#include "smpi/abi/calls.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/datatype/type_calls.hpp"

namespace rehearse::smpi {
namespace {

template <class Width>
int contiguous(typename Width::Count count, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  Arguments check;
  check.count(count).pointer(newtype, "newtype");
  const Datatype* old = any_type(check, oldtype);
  if (check.failed()) return check.error();
  RecipeBuilder<Width> recipe(MPI_COMBINER_CONTIGUOUS);
  recipe.count(count).type(*old);
  return publish(check, make_contiguous(count, *old, recipe.take()), newtype);
}

// The common checks of the two kinds of vector.
const Datatype* checked_vector(Arguments& check, const VectorShape& shape, MPI_Datatype oldtype,
                               const MPI_Datatype* newtype) {
  check.count(shape.count).count(shape.blocklength, "blocklength").pointer(newtype, "newtype");
  return any_type(check, oldtype);
}

template <class Width>
int vector(VectorShape shape, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  using Count = typename Width::Count;
  Arguments check;
  const Datatype* old = checked_vector(check, shape, oldtype, newtype);
  if (check.failed()) return check.error();
  RecipeBuilder<Width> recipe(MPI_COMBINER_VECTOR);
  recipe.count(static_cast<Count>(shape.count))
      .count(static_cast<Count>(shape.blocklength))
      .count(static_cast<Count>(shape.stride))
      .type(*old);
  return publish(check, make_vector(shape, *old, recipe.take()), newtype);
}

template <class Width>
int hvector(VectorShape shape, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  using Count = typename Width::Count;
  Arguments check;
  const Datatype* old = checked_vector(check, shape, oldtype, newtype);
  if (check.failed()) return check.error();
  RecipeBuilder<Width> recipe(MPI_COMBINER_HVECTOR);
  recipe.count(static_cast<Count>(shape.count))
      .count(static_cast<Count>(shape.blocklength))
      .address(shape.stride)
      .type(*old);
  return publish(check, make_hvector(shape, *old, recipe.take()), newtype);
}

template <class Width>
int resized(MPI_Datatype oldtype, Bounds lower_and_extent, MPI_Datatype* newtype) {
  const auto [lower, extent] = lower_and_extent;
  Arguments check;
  check.pointer(newtype, "newtype");
  const Datatype* old = any_type(check, oldtype);
  if (check.failed()) return check.error();
  RecipeBuilder<Width> recipe(MPI_COMBINER_RESIZED);
  recipe.address(lower).address(extent).type(*old);
  return publish(check, make_resized(*old, lower, extent, recipe.take()), newtype);
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return contiguous<Classic>(count, oldtype, newtype);
}

int Type_contiguous_c(MPI_Count count, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return contiguous<Large>(count, oldtype, newtype);
}

int Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return vector<Classic>({count, blocklength, stride}, oldtype, newtype);
}

int Type_vector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
                  MPI_Datatype* newtype) {
  return vector<Large>({count, blocklength, stride}, oldtype, newtype);
}

int Type_create_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return hvector<Classic>({count, blocklength, stride}, oldtype, newtype);
}

int Type_create_hvector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
                          MPI_Datatype* newtype) {
  return hvector<Large>({count, blocklength, stride}, oldtype, newtype);
}

int Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent, MPI_Datatype* newtype) {
  return resized<Classic>(oldtype, {lb, extent}, newtype);
}

int Type_create_resized_c(MPI_Datatype oldtype, MPI_Count lb, MPI_Count extent, MPI_Datatype* newtype) {
  return resized<Large>(oldtype, {lb, extent}, newtype);
}

int Type_dup(MPI_Datatype oldtype, MPI_Datatype* newtype) {
  Arguments check;
  check.pointer(newtype, "newtype");
  const Datatype* old = any_type(check, oldtype);
  if (check.failed()) return check.error();
  Recipe recipe;
  recipe.combiner = MPI_COMBINER_DUP;
  recipe.datatypes.emplace_back(old);
  const int result = publish(check, make_duplicate(*old, std::move(recipe)), newtype);
  if (result != MPI_SUCCESS) return result;
  const int code = datatypes().attributes.copy_all(oldtype, *newtype);
  if (code == MPI_SUCCESS) return MPI_SUCCESS;
  datatypes().made.erase(*newtype);
  *newtype = MPI_DATATYPE_NULL;
  check.require(false, code, "an attribute's copy function failed");
  return check.error();
}

}  // namespace rehearse::smpi::calls
