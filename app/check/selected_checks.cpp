// SPDX-License-Identifier: MIT
//
// See selected_checks.hpp.
#include "app/selected_checks.hpp"

#include <algorithm>

namespace rehearse::app {

void take_warnings_for_errors(std::vector<Finding>& findings) {
  std::ranges::stable_partition(findings, [](const Finding& each) { return each.severity == Severity::error; });
  for (Finding& finding : findings)
    if (finding.severity == Severity::warning) finding.severity = Severity::error;
}

smpi::BufferChecks buffer_checks(const properties::Selection& selection) {
  smpi::BufferChecks checks;
  checks.room = selection.wants("argument.buffer");
  checks.types = selection.wants("buffer.type") || selection.wants("buffer.signedness");
  checks.commits = selection.wants("argument.datatype");
  checks.truncation = selection.wants("message.truncated");
  checks.overlaps = selection.wants("buffer.overlap");
  checks.accesses = selection.wants("buffer.read") || selection.wants("buffer.written") ||
                    selection.wants("buffer.uninitialized");
  checks.lifetimes = selection.wants("buffer.freed");
  if (!selection.wants("buffer.touched")) checks.content_bytes = 0;
  return checks;
}

}  // namespace rehearse::app
