// SPDX-License-Identifier: MIT
//
// The options of `rehearse run`, `rehearse trace record` and `rehearse profile record`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/recording/picture_options.hpp"
#include "app/cli/repeat_options.hpp"
#include "app/cli/selection_options.hpp"
#include "app/cli/verbs.hpp"
#include "app/run.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::cli {

class OptionSet;

struct RunOptions {
  std::uint32_t ranks = 0;
  app::RunRequest request;
  std::string json, date, of, usage;
  std::vector<std::string> failures;  // of ranks, as app::parse_failure() reads them
  PictureOptions pictures;
  SelectionOptions selected;
  RepeatOptions repeat;
  bool label = false, quiet = false, verbose = false, no_summary = false, is_real = false;
};

// The verb that runs a program: run, trace record, profile record.
enum class RunVerb { run, record, profile };

void declare(OptionSet& app, RunOptions& options, RunVerb verb);

// Of all random numbers that have no seed of their own.
void set_seed(std::uint64_t seed, app::RunRequest& request);

// Completes the request by the program and by combinations of options. Errors: the texts to print.
Result<void> complete_request(RunOptions& options, const Arguments& program);

}  // namespace rehearse::cli
