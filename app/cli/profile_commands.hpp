// SPDX-License-Identifier: MIT
//
// `rehearse profile` and its commands. Each returns the exit status.
#pragma once

#include "app/cli/verbs.hpp"

namespace rehearse::cli {

int run_profile(const Arguments& arguments);
int run_profile_analyse(const Arguments& arguments);
int run_profile_record(const Arguments& arguments);

}  // namespace rehearse::cli
