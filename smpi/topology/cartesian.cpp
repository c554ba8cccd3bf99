// SPDX-License-Identifier: MIT
//
// Grids: construction and queries.
#include <algorithm>
#include <string>
#include <vector>

#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/communicator/create.hpp"
#include "smpi/topology/make_topology.hpp"

namespace rehearse::smpi {
namespace {

struct GridArguments {
  int dimensions;
  const int* sizes;
  const int* periods;
};

// The grid, which fits into the communicator if the check has not failed.
Cartesian checked_grid(Arguments& check, const GridArguments& arguments) {
  const auto& [dimensions, sizes, periods] = arguments;
  check.require(dimensions >= 0, MPI_ERR_DIMS,
                [&] { return fmt::format("the number of dimensions is {}", dimensions); });
  if (dimensions > 0) check.pointer(sizes, "dims").pointer(periods, "periods");
  Cartesian grid;
  long long processes = 1;
  for (int d = 0; d < dimensions && !check.failed(); ++d) {
    check.require(sizes[d] > 0, MPI_ERR_DIMS,
                  [&] { return fmt::format("dims[{}] is {}; it must be positive", d, sizes[d]); });
    processes *= sizes[d];
    if (!check.failed())
      check.require(processes <= check.communicator()->size(), MPI_ERR_DIMS, [&] {
        return fmt::format("the grid has more processes than the {} of the communicator", check.communicator()->size());
      });
    grid.sizes.push_back(sizes[d]);
    grid.periodic.push_back(periods[d] != 0);
  }
  return grid;
}

// Checks that an array of the program is large enough for the grid's dimensions.
const Cartesian* checked_room(Arguments& check, int maxdims) {
  const Cartesian* grid = checked_topology<Cartesian>(check);
  if (grid != nullptr)
    check.require(maxdims >= static_cast<int>(grid->sizes.size()), MPI_ERR_ARG, [&] {
      return fmt::format("maxdims is {}, but the grid has {} dimensions", maxdims, grid->sizes.size());
    });
  return check.failed() ? nullptr : grid;
}

// The part of the grid that contains the caller after dimensions are dropped: its members, and its number.
struct Slice {
  Cartesian grid;
  std::vector<ActorId> members;
  std::uint64_t number = 0;
};

Slice slice_of(const Communicator& communicator, const Cartesian& grid, const int* remain) {
  Slice slice;
  const std::vector<int> mine = grid.coordinates_of(communicator.rank());
  for (std::size_t d = 0; d < grid.sizes.size(); ++d) {
    if (remain[d] == 0) {
      slice.number = slice.number * static_cast<std::uint64_t>(grid.sizes[d]) + static_cast<std::uint64_t>(mine[d]);
      continue;
    }
    slice.grid.sizes.push_back(grid.sizes[d]);
    slice.grid.periodic.push_back(grid.periodic[d]);
  }
  for (int rank = 0; rank < communicator.size(); ++rank) {
    const std::vector<int> theirs = grid.coordinates_of(rank);
    bool same = true;
    for (std::size_t d = 0; d < theirs.size(); ++d) same = same && (remain[d] != 0 || theirs[d] == mine[d]);
    if (same) slice.members.push_back(communicator.actor_of(rank));
  }
  return slice;
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int, MPI_Comm* comm_cart) {
  Arguments check = intracommunicator_arguments(comm_old);
  check.pointer(comm_cart, "comm_cart");
  const Cartesian grid = checked_grid(check, {ndims, dims, periods});
  if (check.failed()) return check.error();
  std::uint64_t signature = signature_of_numbers(1, dims, ndims);
  for (const bool period : grid.periodic) signature = combine_signatures(signature, period ? 2 : 1);
  const std::string origin = "grid of " + check.communicator()->description();
  return make_with_topology(check, {"MPI_Cart_create", signature, origin}, grid.processes(), grid, comm_cart);
}

int Cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int* newrank) {
  Arguments check(comm);
  check.pointer(newrank, "newrank");
  const Cartesian grid = checked_grid(check, {ndims, dims, periods});
  if (check.failed()) return check.error();
  const int rank = check.communicator()->rank();
  *newrank = rank < grid.processes() ? rank : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

int Cartdim_get(MPI_Comm comm, int* ndims) {
  Arguments check(comm);
  check.pointer(ndims, "ndims");
  const Cartesian* grid = checked_topology<Cartesian>(check);
  if (!check.failed()) *ndims = static_cast<int>(grid->sizes.size());
  return check.error();
}

int Cart_get(MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[]) {
  Arguments check(comm);
  const Cartesian* grid = checked_room(check, maxdims);
  if (grid == nullptr) return check.error();
  const std::vector<int> mine = grid->coordinates_of(check.communicator()->rank());
  for (std::size_t d = 0; d < mine.size(); ++d) {
    dims[d] = grid->sizes[d];
    periods[d] = grid->periodic[d] ? 1 : 0;
    coords[d] = mine[d];
  }
  return MPI_SUCCESS;
}

int Cart_rank(MPI_Comm comm, const int coords[], int* rank) {
  Arguments check(comm);
  check.pointer(rank, "rank");
  const Cartesian* grid = checked_topology<Cartesian>(check);
  if (check.failed()) return check.error();
  if (!grid->sizes.empty()) check.pointer(coords, "coords");
  if (check.failed()) return check.error();
  const int found = grid->rank_of({coords, grid->sizes.size()});
  check.require(found != MPI_PROC_NULL, MPI_ERR_ARG, "a coordinate is outside of a dimension that is not periodic");
  if (!check.failed()) *rank = found;
  return check.error();
}

int Cart_coords(MPI_Comm comm, int rank, int maxdims, int coords[]) {
  Arguments check(comm);
  const Cartesian* grid = checked_room(check, maxdims);
  if (grid == nullptr) return check.error();
  check.require(0 <= rank && rank < grid->processes(), MPI_ERR_RANK,
                [&] { return fmt::format("rank {} is not in the grid", rank); });
  if (check.failed()) return check.error();
  const std::vector<int> coordinates = grid->coordinates_of(rank);
  std::copy(coordinates.begin(), coordinates.end(), coords);
  return MPI_SUCCESS;
}

int Cart_shift(MPI_Comm comm, int direction, int disp, int* rank_source, int* rank_dest) {
  Arguments check(comm);
  check.pointer(rank_source, "rank_source").pointer(rank_dest, "rank_dest");
  const Cartesian* grid = checked_topology<Cartesian>(check);
  if (check.failed()) return check.error();
  check.require(0 <= direction && direction < static_cast<int>(grid->sizes.size()), MPI_ERR_DIMS, [&] {
    return fmt::format("direction {} is not a dimension of the grid, which has {}", direction, grid->sizes.size());
  });
  if (check.failed()) return check.error();
  const int rank = check.communicator()->rank();
  *rank_source = grid->shifted(rank, direction, -static_cast<long long>(disp));
  *rank_dest = grid->shifted(rank, direction, disp);
  return MPI_SUCCESS;
}

int Cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm* newcomm) {
  Arguments check(comm);
  check.pointer(newcomm, "newcomm");
  const Cartesian* grid = checked_topology<Cartesian>(check);
  if (check.failed()) return check.error();
  if (!grid->sizes.empty()) check.pointer(remain_dims, "remain_dims");
  if (check.failed()) return check.error();
  const CommunicatorRef parent = check.communicator();
  const Slice slice = slice_of(*parent, *grid, remain_dims);
  const std::uint64_t child = parent->next_child();
  const int error = run_collective(parent, {"MPI_Cart_sub"}, {}, {nothing_to_do});
  if (error != MPI_SUCCESS) return error;
  const CommunicatorRef made = make_communicator(derive_context(parent->context(), child, slice.number + 1),
                                                 slice.members, "part of " + parent->description());
  made->topology = slice.grid;
  *newcomm = communicators().add(made, *parent);
  return MPI_SUCCESS;
}

int Dims_create(int nnodes, int ndims, int dims[]) {
  Arguments check;
  check.require(nnodes > 0, MPI_ERR_ARG, [&] { return fmt::format("nnodes is {}", nnodes); });
  check.require(ndims >= 0, MPI_ERR_DIMS, [&] { return fmt::format("ndims is {}", ndims); });
  if (ndims > 0) check.pointer(dims, "dims");
  long long fixed = 1;
  int open = 0;
  for (int d = 0; d < ndims && !check.failed(); ++d) {
    check.require(dims[d] >= 0, MPI_ERR_DIMS, [&] { return fmt::format("dims[{}] is {}", d, dims[d]); });
    if (dims[d] == 0) ++open;
    if (dims[d] > 0 && fixed <= nnodes) fixed *= dims[d];
  }
  if (check.failed()) return check.error();
  check.require(nnodes % fixed == 0 && (open > 0 || nnodes == fixed || ndims == 0), MPI_ERR_DIMS,
                [&] { return fmt::format("the dimensions that are set do not divide {} nodes", nnodes); });
  if (check.failed()) return check.error();
  const std::vector<int> factors = balanced_factors(nnodes / static_cast<int>(fixed), open);
  auto next = factors.begin();
  for (int d = 0; d < ndims; ++d)
    if (dims[d] == 0) dims[d] = *next++;
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
