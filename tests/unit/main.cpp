// SPDX-License-Identifier: MIT
//
// The main program of all unit tests (Catch2's own).
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
