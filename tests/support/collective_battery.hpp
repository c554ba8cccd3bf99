// SPDX-License-Identifier: MIT
//
// Every collective of MPI once, in one of its forms, with data that is compared with what the definition says: literal
// loops over the ranks.
//
// Use: by every rank of MPI_COMM_WORLD between MPI_Init and MPI_Finalize, with the same options; under any driver.
#pragma once

#include <cstdint>
#include <string>

#include "smpi/collective/collective.hpp"

namespace rehearse::tests {

struct BatteryOptions {
  smpi::Completing::Form form = smpi::Completing::Form::blocking;
  int count = 1;  // elements of a block
  int root = 0;
  bool in_place = false;  // where there is such a thing
};

// What was wrong first; empty: nothing.
std::string run_battery(const BatteryOptions& options);

}  // namespace rehearse::tests
