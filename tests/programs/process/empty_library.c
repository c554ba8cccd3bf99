// SPDX-License-Identifier: MIT
//
// Stands in for a library of another MPI, and for one that cannot be found.
int library_function(void);
int library_function(void) { return 0; }
