// SPDX-License-Identifier: MIT
//
// Calls a function of a library.
int library_function(void);

int main(void) { return library_function(); }
