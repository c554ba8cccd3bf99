// SPDX-License-Identifier: MIT
//
// Thread-local (general-dynamic) and static variables in a library, and an exception that leaves it.
#include "private_library.hpp"

#include <stdexcept>
#include <string>

namespace {
thread_local int per_thread = 3;
thread_local std::string per_thread_text = "dynamic initialisation";
int global = 4;
}  // namespace

void library_set(int value) {
  per_thread += value;
  global += value;
  per_thread_text += 'x';
}
int library_get() { return per_thread + global - 7 - per_thread + 3 + static_cast<int>(per_thread_text.size()) - 23; }
void library_throw(int value) { throw std::runtime_error(std::to_string(value)); }
