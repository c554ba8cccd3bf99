// SPDX-License-Identifier: MIT
//
// Reads a counter-example. If the program has changed since, looks its decisions up by their places in the source.
#include <filesystem>

#include "app/investigation.hpp"
#include "app/replay.hpp"

namespace rehearse::app {

Result<Replayable> read_to_replay(const std::string& file, double step_seconds) {
  auto counterexample = read_counterexample(file);
  if (!counterexample) return counterexample.error();
  Counterexample& read = counterexample.value();
  const auto hash = hash_of_programs(read);
  if (!hash) return Error{file + ": the program of this counter-example: " + hash.error().text};
  if (hash.value() == read.program_hash) return Replayable{std::move(read), ""};
  std::string changed = file + ": " + read.program + " has changed since (" + hash.value() + ", was " +
                        read.program_hash + ")";
  if (!read.explanation) return Error{changed + "; check it again"};
  auto again = found_again(read, {10, step_seconds, UINT64_MAX});
  if (!again) return Error{changed + ", and the counter-example does not fit it: " + again.error().text};
  return Replayable{std::move(again.value()), std::move(changed)};
}

bool is_elsewhere(const Counterexample& counterexample) {
  std::error_code unknown;
  return !counterexample.folder.empty() && !std::filesystem::equivalent(counterexample.folder, ".", unknown);
}

}  // namespace rehearse::app
