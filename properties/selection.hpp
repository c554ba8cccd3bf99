// SPDX-License-Identifier: MIT
//
// The selection of findings to report: all, or those of some checks, except those in a list of exceptions.
//
// A list of exceptions has one on each line, "ID", "ID in FUNCTION", "ID at FILE" or "ID at FILE:LINE", where ID may be
// the first words of an id, and FILE the last parts of a path; `#` begins a comment.
//
// A finding that ends a rank hides the rank's further behaviour. If it is not reported, a limit is reported instead.
//
// Errors:  unknown ids, and lines in another form; with the place and the accepted forms.
// Threads: several threads may call judge() concurrently.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "simcore/finding.hpp"
#include "simcore/outcome.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::properties {

class Selection {
 public:
  // Report only findings of these checks (ids, or their first words); empty: of all checks.
  Result<bool> select_only(const std::vector<std::string>& ids);
  // Do not report findings of these checks.
  Result<bool> leave_out(const std::vector<std::string>& ids);
  // `name`: of the list, for errors.
  Result<bool> add_exceptions(std::string_view name, std::string_view text);

  // The severity of an error that a call returns and the program ignores (error.ignored): error, warning (the default),
  // or not reported.
  enum class IgnoredErrors { errors, warnings, nothing };
  void take_ignored_errors_for(IgnoredErrors what) { ignored_errors_ = what; }

  bool is_all() const {
    return only_.empty() && without_.empty() && exceptions_.empty() && ignored_errors_ == IgnoredErrors::warnings;
  }
  // The caveat of the verdict, such as "only ... are reported"; empty: all findings are reported.
  std::string describe() const;

  // One line that is equal for selections that report the same findings.
  std::string identity() const;

  bool reports(const Finding& finding) const;
  // Whether it can report a finding with this id.
  bool reports_any(std::string_view id) const;
  // The findings that are reported.
  std::vector<Finding> reported(std::vector<Finding> findings) const;

  // Whether some finding of this check would be reported: if not, the search for it can be omitted.
  bool wants(std::string_view id) const;

  // The judges' findings that are reported.
  std::vector<Finding> judge(const Outcome& outcome, const Describe& describe) const;
  // Those of an execution that did not come to its end (judge_part()).
  std::vector<Finding> judge_part(const Outcome& outcome, const Describe& describe) const;

 private:
  // As reported(), and with a limit for each rank that a finding ended that is not reported.
  std::vector<Finding> selected(std::vector<Finding> findings, const Outcome& outcome) const;

  struct Exception {
    std::string id;
    std::string function;  // empty: any
    std::string file;      // empty: any
    int line = 0;          // 0: any
    bool covers(const Finding& finding) const;
  };

  std::vector<std::string> only_, without_;
  IgnoredErrors ignored_errors_ = IgnoredErrors::warnings;
  std::vector<Exception> exceptions_;
};

}  // namespace rehearse::properties
