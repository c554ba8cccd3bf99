// SPDX-License-Identifier: MIT
//
// A shared library of the test programs, with variables of its own.
#pragma once

void library_set(int value);
int library_get();
void library_throw(int value);
