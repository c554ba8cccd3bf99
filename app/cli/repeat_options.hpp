// SPDX-License-Identifier: MIT
//
// --seed, --repeat and the options that belong to it; and the verbs' common way to repeat a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/repetition.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::cli {

class OptionSet;

struct RepeatOptions {
  std::optional<std::uint64_t> seed;
  std::optional<std::uint32_t> runs, jobs, more_if_disturbed;

  bool is_wanted() const { return runs || more_if_disturbed; }
};

void declare_seed(OptionSet& app, RepeatOptions& options, const std::string& what);
// `measures`: computation can be measured, and disturbed.
void declare_repeat(OptionSet& app, RepeatOptions& options, bool measures);

// `is_measured`: runs at the same time would disturb each other. Errors: options that do not fit together.
Result<app::RepetitionOptions> repetition_of(const RepeatOptions& options, bool is_measured);

struct RepeatOutput {
  std::string verb;
  std::string json;  // file; empty: none
  bool is_quiet = false;
  bool has_summary = true;
};

// Repeats the run, prints the statistics, and writes the report. The exit status.
int repeat_and_report(const app::RepetitionOptions& options, const app::AttemptWork& work, const StopToken& stop,
                      const RepeatOutput& output);

}  // namespace rehearse::cli
