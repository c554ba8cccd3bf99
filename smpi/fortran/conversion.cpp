// SPDX-License-Identifier: MIT
//
// See conversion.hpp and sentinels.hpp.
#include "smpi/fortran/conversion.hpp"

#include <algorithm>
#include <cstring>

#include "smpi/abi/calls.hpp"
#include "smpi/communicator/communicator.hpp"
#include "smpi/process/program_object.hpp"

namespace rehearse::smpi::fortran {
namespace {

constexpr std::uintptr_t no_pointer = std::uintptr_t{1} << 63;
constexpr std::size_t longest_result = MPI_MAX_LIBRARY_VERSION_STRING;  // of the strings whose size MPI limits
constexpr char unwritten = '\1';

}  // namespace

Sentinels::Sentinels() {
  const void* block = find_program_object("mpi_rehearse_");
  begin = block == nullptr ? no_pointer : reinterpret_cast<std::uintptr_t>(block);
}

void* named_choice(std::uintptr_t place, const void* pointer) {
  switch (place) {
    case bottom_at: return MPI_BOTTOM;
    case in_place_at: return MPI_IN_PLACE;
    case buffer_automatic_at: return MPI_BUFFER_AUTOMATIC;
    default: return const_cast<void*>(pointer);
  }
}

Text::Text(const char* text, std::size_t length, Blanks blanks) {
  while (length > 0 && text[length - 1] == ' ') --length;
  if (blanks == Blanks::at_both_ends)
    for (; length > 0 && *text == ' '; ++text) --length;
  text_.assign(text, length);
}

void assign_text(char* to, std::size_t length, const char* text) {
  const std::size_t copied = std::min(length, std::strlen(text));
  std::memcpy(to, text, copied);
  std::memset(to + copied, ' ', length - copied);
}

TextResult::TextResult(char* text, std::size_t length, std::size_t needed)
    : text_(text), length_(length), buffer_(std::max({length + 1, needed, longest_result}), '\0') {
  buffer_[0] = unwritten;
}

TextResult::~TextResult() {
  if (buffer_[0] != unwritten) assign_text(text_, length_, buffer_.data());
}

int comm_size_of(const int* comm) {
  const Communicator* found = find_communicator(handle_of<MPI_Comm>(comm));
  return found == nullptr ? 0 : found->peers();
}

namespace {

// (in, out): of the topology; without one, or with a wrong communicator, 0.
std::pair<int, int> degrees_of(const int* number) {
  const auto comm = handle_of<MPI_Comm>(number);
  if (find_communicator(comm) == nullptr) return {0, 0};
  int topology = MPI_UNDEFINED, in = 0, out = 0, weighted = 0;
  calls::Topo_test(comm, &topology);
  if (topology == MPI_DIST_GRAPH) {
    calls::Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  } else if (topology == MPI_CART) {
    calls::Cartdim_get(comm, &in);
    in = out = 2 * in;
  } else if (topology == MPI_GRAPH) {
    int rank = 0;
    calls::Comm_rank(comm, &rank);
    calls::Graph_neighbors_count(comm, rank, &in);
    out = in;
  }
  return {in, out};
}

}  // namespace

int indegree_of(const int* comm) { return degrees_of(comm).first; }
int outdegree_of(const int* comm) { return degrees_of(comm).second; }

}  // namespace rehearse::smpi::fortran
