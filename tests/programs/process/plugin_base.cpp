// SPDX-License-Identifier: MIT
//
// What the plugin needs; its thread-local variable is read by descriptor where the compiler can (gnu2).
namespace {
thread_local int value = 1;
}

int base_value() { return value++; }
