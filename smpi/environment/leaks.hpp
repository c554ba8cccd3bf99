// SPDX-License-Identifier: MIT
//
// What the program created and did not give back until MPI_Finalize.
#pragma once

namespace rehearse::smpi {

// Reports each kind of object once per place where the program created it. A started operation that
// was never completed is an error; anything else is a warning.
void report_leaks();

}  // namespace rehearse::smpi
