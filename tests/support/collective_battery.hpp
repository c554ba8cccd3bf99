// SPDX-License-Identifier: MIT
//
// Calls every collective of MPI once, in one of its forms, and compares the data with the definition, which is written
// as plain loops over the ranks.
//
// Use: call it on every rank of MPI_COMM_WORLD between MPI_Init and MPI_Finalize, with the same options; under any
//      driver.
#pragma once

#include <cstdint>
#include <string>

#include "smpi/collective/collective.hpp"

namespace rehearse::tests {

struct BatteryOptions {
  smpi::Completing::Form form = smpi::Completing::Form::blocking;
  int count = 1;  // elements of a block
  int root = 0;
  bool in_place = false;  // for collectives that permit it
};

// The first error; empty: none.
std::string run_battery(const BatteryOptions& options);

}  // namespace rehearse::tests
