// SPDX-License-Identifier: MIT
//
// Reads what the options name.
#include "cli/selection_options.hpp"

#include <CLI/CLI.hpp>

#include "simcore/support/read_file.hpp"

namespace rehearse::cli {

void declare(CLI::App& app, SelectionOptions& options) {
  app.add_option("--only", options.only, "findings that are told: ids of checks, or their first words, with commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--without", options.without, "findings that are not told, likewise")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--exceptions", options.exceptions,
                 "a file of findings that are not told, one on each line: ID, ID in FUNCTION, ID at FILE[:LINE]");
}

Result<properties::Selection> read_selection(const SelectionOptions& options) {
  properties::Selection selection;
  if (auto done = selection.tell_only(options.only); !done) return Error{"--only: " + done.error().text};
  if (auto done = selection.leave_out(options.without); !done) return Error{"--without: " + done.error().text};
  if (options.exceptions.empty()) return selection;
  const auto text = read_file(options.exceptions);
  if (!text) return Error{"--exceptions: " + options.exceptions + ": cannot be read"};
  if (auto done = selection.add_exceptions(options.exceptions, *text); !done)
    return Error{"--exceptions: " + done.error().text};
  return selection;
}

smpi::BufferChecks buffer_checks(const properties::Selection& selection) {
  smpi::BufferChecks checks;
  checks.room = selection.wants("argument.buffer");
  checks.commits = selection.wants("argument.datatype");
  checks.truncation = selection.wants("message.truncated");
  checks.overlaps = selection.wants("buffer.overlap");
  checks.accesses = selection.wants("buffer.read") || selection.wants("buffer.written");
  if (!selection.wants("buffer.touched")) checks.content_bytes = 0;
  return checks;
}

}  // namespace rehearse::cli
