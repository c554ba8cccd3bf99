// SPDX-License-Identifier: MIT
//
// rehearse list calls: which functions a program needs, and which of them are not there.
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
