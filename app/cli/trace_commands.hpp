// SPDX-License-Identifier: MIT
//
// The commands of `rehearse trace`; each takes the arguments behind the command, and returns the exit status.
#pragma once

#include "app/cli/verbs.hpp"

namespace rehearse::cli {

int run_trace_check(const Arguments& arguments);
int run_trace_compare(const Arguments& arguments);
int run_trace_compare_models(const Arguments& arguments);
int run_trace_convert(const Arguments& arguments);
int run_trace_efficiency(const Arguments& arguments);
int run_trace_gather(const Arguments& arguments);
int run_trace_info(const Arguments& arguments);
int run_trace_profile(const Arguments& arguments);
int run_trace_record(const Arguments& arguments);
int run_trace_replay(const Arguments& arguments);

// `trace record --real`, and `trace record --of`.
int run_trace_record_real(const Arguments& arguments);
int run_trace_record_counterexample(const Arguments& arguments);

}  // namespace rehearse::cli
