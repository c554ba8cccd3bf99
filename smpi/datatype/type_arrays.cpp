// SPDX-License-Identifier: MIT
//
// Datatypes of parts of arrays: sub-arrays, and the share of one process in a distributed array.
//
// Source: MPI 5.0, 5.1.3 and 5.1.4.
#include <algorithm>
#include <string>
#include <vector>

#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/datatype/type_calls.hpp"

namespace rehearse::smpi {
namespace {

void check_order(Arguments& check, int ndims, int order) {
  check.require(ndims > 0, MPI_ERR_ARG, [&] { return fmt::format("ndims is {}, but must be > 0", ndims); });
  check.require(order == MPI_ORDER_C || order == MPI_ORDER_FORTRAN, MPI_ERR_ARG,
                [&] { return fmt::format("order is {}, but must be MPI_ORDER_C or MPI_ORDER_FORTRAN", order); });
}

std::string in_dimension(int d, MPI_Count value, std::string_view what) {
  return fmt::format("in dimension {} {} {}", d, what, value);
}

template <class Width>
struct Subarray {
  int ndims;
  const typename Width::Count *sizes, *subsizes, *starts;
  int order;
};

template <class Width>
int subarray(const Subarray<Width>& arguments, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  const auto& [ndims, sizes, subsizes, starts, order] = arguments;
  Arguments check;
  check_order(check, ndims, order);
  check.pointer(sizes, "array_of_sizes").pointer(subsizes, "array_of_subsizes");
  check.pointer(starts, "array_of_starts").pointer(newtype, "newtype");
  std::vector<Dimension> dimensions;
  for (int d = 0; d < ndims && !check.failed(); ++d) {
    check.require(sizes[d] >= 1, MPI_ERR_ARG, in_dimension(d, sizes[d], "the size is"));
    check.require(subsizes[d] >= 1 && subsizes[d] <= sizes[d], MPI_ERR_ARG,
                  in_dimension(d, subsizes[d], "of the array the subsize is"));
    check.require(starts[d] >= 0 && starts[d] <= sizes[d] - subsizes[d], MPI_ERR_ARG,
                  in_dimension(d, starts[d], "the sub-array is not inside the array: it starts at"));
    if (!check.failed()) dimensions.push_back({sizes[d], subsizes[d], starts[d]});
  }
  const Datatype* old = any_type(check, oldtype);
  if (check.failed()) return check.error();
  if (order == MPI_ORDER_FORTRAN) std::reverse(dimensions.begin(), dimensions.end());
  RecipeBuilder<Width> recipe(MPI_COMBINER_SUBARRAY);
  recipe.integer(ndims).counts(sizes, ndims).counts(subsizes, ndims).counts(starts, ndims);
  recipe.integer(order).type(*old);
  return publish(check, make_subarray(dimensions, *old, recipe.take()), newtype);
}

template <class Width>
struct Distributed {
  int size, rank, ndims;
  const typename Width::Count* gsizes;
  const int *distribs, *dargs, *psizes;
  int order;
};

void check_dimension(Arguments& check, int d, const DistributedDimension& dimension) {
  const auto& [size, distribution, argument, processes, coordinate] = dimension;
  check.require(size >= 1, MPI_ERR_ARG, in_dimension(d, size, "the array's size is"));
  check.require(processes >= 1, MPI_ERR_ARG, in_dimension(d, processes, "the number of processes is"));
  if (distribution == MPI_DISTRIBUTE_NONE) {
    check.require(processes == 1, MPI_ERR_ARG,
                  in_dimension(d, processes,
                               "the distribution is MPI_DISTRIBUTE_NONE, but the number of processes is"));
    return;
  }
  check.require(distribution == MPI_DISTRIBUTE_BLOCK || distribution == MPI_DISTRIBUTE_CYCLIC, MPI_ERR_ARG,
                in_dimension(d, distribution, "the distribution is"));
  if (argument == MPI_DISTRIBUTE_DFLT_DARG) return;
  check.require(argument >= 1, MPI_ERR_ARG, in_dimension(d, argument, "the block size is"));
  check.require(distribution == MPI_DISTRIBUTE_CYCLIC || argument * processes >= size, MPI_ERR_ARG,
                in_dimension(d, argument, "the blocks do not cover the array: their size is"));
}

template <class Width>
int distributed(const Distributed<Width>& a, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  Arguments check;
  check_order(check, a.ndims, a.order);
  check.pointer(a.gsizes, "array_of_gsizes").pointer(a.distribs, "array_of_distribs");
  check.pointer(a.dargs, "array_of_dargs").pointer(a.psizes, "array_of_psizes");
  check.pointer(newtype, "newtype");
  check.require(a.rank >= 0 && a.rank < a.size, MPI_ERR_ARG,
                [&] { return fmt::format("rank {} of {}", a.rank, a.size); });
  std::vector<DistributedDimension> dimensions;
  MPI_Count processes = 1;
  for (int d = 0; d < a.ndims && !check.failed(); ++d) {
    dimensions.push_back({a.gsizes[d], a.distribs[d], a.dargs[d], a.psizes[d], 0});
    check_dimension(check, d, dimensions.back());
    processes *= a.psizes[d];
  }
  check.require(processes == a.size, MPI_ERR_ARG,
                [&] { return fmt::format("the process grid has {} places for {} processes", processes, a.size); });
  const Datatype* old = any_type(check, oldtype);
  if (check.failed()) return check.error();
  // The process grid is in the order of C, whatever the order of the array.
  for (int d = a.ndims - 1, rest = a.rank; d >= 0; rest /= a.psizes[d--])
    dimensions[static_cast<std::size_t>(d)].coordinate = rest % a.psizes[d];
  if (a.order == MPI_ORDER_FORTRAN) std::reverse(dimensions.begin(), dimensions.end());
  RecipeBuilder<Width> recipe(MPI_COMBINER_DARRAY);
  recipe.integer(a.size).integer(a.rank).integer(a.ndims).counts(a.gsizes, a.ndims);
  recipe.integers(a.distribs, a.ndims).integers(a.dargs, a.ndims).integers(a.psizes, a.ndims);
  recipe.integer(a.order).type(*old);
  return publish(check, make_distributed(dimensions, *old, recipe.take()), newtype);
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Type_create_subarray(int ndims, const int sizes[], const int subsizes[], const int starts[], int order,
                         MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return subarray<Classic>({ndims, sizes, subsizes, starts, order}, oldtype, newtype);
}

int Type_create_subarray_c(int ndims, const MPI_Count sizes[], const MPI_Count subsizes[], const MPI_Count starts[],
                           int order, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return subarray<Large>({ndims, sizes, subsizes, starts, order}, oldtype, newtype);
}

int Type_create_darray(int size, int rank, int ndims, const int gsizes[], const int distribs[], const int dargs[],
                       const int psizes[], int order, MPI_Datatype oldtype, MPI_Datatype* newtype) {
  return distributed<Classic>({size, rank, ndims, gsizes, distribs, dargs, psizes, order}, oldtype, newtype);
}

int Type_create_darray_c(int size, int rank, int ndims, const MPI_Count gsizes[], const int distribs[],
                         const int dargs[], const int psizes[], int order, MPI_Datatype oldtype,
                         MPI_Datatype* newtype) {
  return distributed<Large>({size, rank, ndims, gsizes, distribs, dargs, psizes, order}, oldtype, newtype);
}

}  // namespace rehearse::smpi::calls
