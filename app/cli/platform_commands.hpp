// SPDX-License-Identifier: MIT
//
// The commands of `rehearse platform`; each takes the arguments after the command and returns the exit status.
#pragma once

#include "app/cli/verbs.hpp"

namespace rehearse::cli {

int run_platform_show(const Arguments& arguments);
int run_platform_validate(const Arguments& arguments);
int run_platform_route(const Arguments& arguments);
int run_platform_generate(const Arguments& arguments);
int run_platform_extract(const Arguments& arguments);

}  // namespace rehearse::cli
