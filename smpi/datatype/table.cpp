// SPDX-License-Identifier: MIT
//
// The datatypes of a rank.
#include "smpi/datatype/table.hpp"

#include "smpi/per_rank.hpp"
#include "smpi/process.hpp"

namespace rehearse::smpi {

DatatypeTable& datatypes() { return per_rank<DatatypeTable>(); }

bool committed_on_use(MPI_Datatype handle) {
  if (buffer_checks().commits) return false;
  (*datatypes().made.find(handle))->commit();
  return true;
}

}  // namespace rehearse::smpi
