// SPDX-License-Identifier: MIT
//
// Text from values: fmt::format("rank {} sends {} bytes", rank, bytes). The compiler checks the number and the types of
// the arguments. Only the core header of the library is included: a unit that uses it compiles faster than one that
// joins std::to_string with operator+.
//
// Source: fmt 9.1, https://fmt.dev/9.1.0/syntax.html
#pragma once

#include <fmt/core.h>  // IWYU pragma: export
