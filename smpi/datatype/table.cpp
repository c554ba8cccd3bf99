// SPDX-License-Identifier: MIT
//
// The datatypes of a rank.
#include "smpi/datatype/table.hpp"

#include "smpi/per_rank.hpp"

namespace rehearse::smpi {

DatatypeTable& datatypes() { return per_rank<DatatypeTable>(); }

}  // namespace rehearse::smpi
