// SPDX-License-Identifier: MIT
//
// What rehearse_exactness is asked to do.
//
// Errors: an argument that is not known, has no value, or one that is no number, is refused with what is accepted.
#pragma once

#include <cstdint>
#include <string>

#include "simcore/support/result.hpp"
#include "tests/exactness/comparison.hpp"

namespace rehearse::tests {

struct Arguments {
  bool counts = false;  // of programs that are read
  std::uint64_t first = 1, last = 0;
  std::uint64_t first_group = 1, last_group = 0;
  std::uint64_t first_merged = 1, last_merged = 0;
  std::uint64_t first_flow = 1, last_flow = 0;
  std::uint64_t first_predict = 1, last_predict = 0;
  std::uint64_t first_buffers = 1, last_buffers = 0;
  std::uint64_t rules = 0;
  std::uint64_t sums = 0;
  std::uint64_t two = 0, three = 0;
  std::uint64_t length = 3;
  std::uint64_t part = 0, parts = 1;
  Samples samples{.names = 4};
  double seconds = 0;
};

Result<Arguments> read_arguments(int argc, const char* const* argv);

}  // namespace rehearse::tests
