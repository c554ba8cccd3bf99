// SPDX-License-Identifier: MIT
//
// Reads the values of the options.
#include "app/cli/selection_options.hpp"

#include "app/cli/verb_options.hpp"
#include "simcore/support/read_file.hpp"

namespace rehearse::cli {

void declare(OptionSet& app, SelectionOptions& options) {
  app.add_option("--only", options.only, "report only these findings: ids of checks, or their first words, with commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--without", options.without, "do not report these findings: ids, or first words")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--exceptions", options.exceptions,
                 "file of findings not to report, one on each line: ID, ID in FUNCTION, ID at FILE[:LINE]");
  app.add_option("--errors-return", options.errors_return,
                 "how to report an error that a call returns (MPI_ERRORS_RETURN) and the program ignores: error, "
                 "warning (default), ignore")
      ->check(one_of({"error", "warning", "ignore"}));
  app.add_flag("--warnings-as-errors", options.warnings_as_errors,
               "treat warnings as errors: exit with status 1 if there is one");
}

Result<properties::Selection> read_selection(const SelectionOptions& options) {
  properties::Selection selection;
  if (auto done = selection.select_only(options.only); !done) return Error{"--only: " + done.error().text};
  if (auto done = selection.leave_out(options.without); !done) return Error{"--without: " + done.error().text};
  using IgnoredErrors = properties::Selection::IgnoredErrors;
  selection.take_ignored_errors_for(options.errors_return == "error"     ? IgnoredErrors::errors
                                    : options.errors_return == "warning" ? IgnoredErrors::warnings
                                                                         : IgnoredErrors::nothing);
  if (options.exceptions.empty()) return selection;
  const auto text = read_file(options.exceptions);
  if (!text) return Error{"--exceptions: " + options.exceptions + ": cannot be read"};
  if (auto done = selection.add_exceptions(options.exceptions, *text); !done)
    return Error{"--exceptions: " + done.error().text};
  return selection;
}

}  // namespace rehearse::cli
