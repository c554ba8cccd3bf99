// SPDX-License-Identifier: MIT
//
// A plugin with everything: data, thread-local data, a constructor, a destructor, exceptions, a library of its own,
// and calls back into the program.
#include "plugin.hpp"

#include <cstdio>
#include <stdexcept>
#include <string>

extern "C" int given_by_program();
int base_value();

namespace {

struct Announcer {
  Announcer() { std::printf("[open "); }
  ~Announcer() { std::printf("close] "); }
} announcer;

thread_local int calls = 100;
int sum = 0;

}  // namespace

extern "C" {

int plugin_value = 0;

int plugin_count(int add) {
  ++calls;
  sum += add;
  plugin_value = sum;
  return sum + (calls - 100) * 10 + given_by_program() * 100 + base_value() * 1000;
}

void plugin_throw(const char* what) { throw std::runtime_error(what); }

int* plugin_only_one() { return only_one<int>(); }
}
