// SPDX-License-Identifier: MIT
//
// The queries of a rank about its processor, its time and its library.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/page.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/buffers/freed.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/environment/leaks.hpp"
#include "smpi/error.hpp"
#include "smpi/info/info.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process.hpp"
#include "smpi/process/allocation.hpp"

namespace rehearse::smpi {
namespace {

// Copies a text with its terminating null. It fits into the buffer that MPI requires the program to provide.
int give(std::string_view text, char* out, int* length) {
  std::memcpy(out, text.data(), text.size());
  out[text.size()] = '\0';
  *length = static_cast<int>(text.size());
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

double Wtime() { return ask(Clock{}).now.seconds(); }

// The resolution of simulated time is one picosecond.
double Wtick() { return 1e-12; }

int Get_processor_name(char* name, int* resultlen) {
  Arguments check;
  check.pointer(name, "name").pointer(resultlen, "resultlen");
  if (check.failed()) return check.error();
  return give(node_map().name_of(current_actor().value), name, resultlen);
}

int Get_version(int* version, int* subversion) {
  *version = MPI_VERSION;
  *subversion = MPI_SUBVERSION;
  return MPI_SUCCESS;
}

int Get_library_version(char* version, int* resultlen) { return give("Rehearse 0.1, MPI 5.0", version, resultlen); }

int Pcontrol(const int) { return MPI_SUCCESS; }

int Alloc_mem(MPI_Aint size, MPI_Info info, void* baseptr) {
  Arguments check;
  check.require(size >= 0, MPI_ERR_ARG, "the size is negative").pointer(baseptr, "baseptr");
  const Hints* hints = find_hints(info);
  check.require(hints != nullptr, MPI_ERR_INFO, "the info object was freed or never existed");
  if (check.failed()) return check.error();
  const std::size_t alignment = alignment_in(*hints);
  check.require(alignment != 0, MPI_ERR_INFO_VALUE, "mpi_minimum_memory_alignment is not a power of two");
  if (check.failed()) return check.error();
  const auto bytes = static_cast<std::size_t>(size) + (size == 0 ? 1 : 0);
  void* memory = folded_allocation(std::max(alignment, page_bytes), bytes);
  if (memory == nullptr && posix_memalign(&memory, alignment, bytes) != 0)
    return error(MPI_ERR_NO_MEM, fmt::format("cannot allocate {} bytes", size));
  std::memcpy(baseptr, &memory, sizeof memory);
  per_rank<AllocatedMemory>().blocks[memory] = creation_site();
  return MPI_SUCCESS;
}

int Free_mem(void* base) {
  Arguments check;
  if (base == nullptr) return check.error();
  check.require(per_rank<AllocatedMemory>().blocks.erase(base) != 0, MPI_ERR_BASE,
                "the memory does not come from MPI_Alloc_mem, or was freed already");
  if (!check.failed() && !must_keep(base)) std::free(base);
  return check.error();
}

}  // namespace rehearse::smpi::calls
