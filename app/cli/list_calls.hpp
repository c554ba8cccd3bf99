// SPDX-License-Identifier: MIT
//
// rehearse list calls: the MPI functions that a program needs, and those that are not supported.
#pragma once

#include <string>

namespace rehearse::cli {

struct ListOptions {
  std::string json;  // empty: none
  bool quiet = false;
};

// Returns the exit status.
int list_calls(const std::string& program, const ListOptions& options);

}  // namespace rehearse::cli
