// SPDX-License-Identifier: MIT
//
// See collective_names.hpp.
#include "trace/collective_names.hpp"

namespace rehearse::trace {

std::string mpi_name(CollectiveKind kind, bool blocking) {
  std::string name(nonblocking_names[static_cast<std::size_t>(kind)]);
  if (name.empty()) return name;
  if (blocking) name.erase(0, 1);
  name.front() = static_cast<char>(name.front() - 'a' + 'A');
  return "MPI_" + name;
}

}  // namespace rehearse::trace
