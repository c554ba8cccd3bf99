// SPDX-License-Identifier: MIT
//
// The options for reports of `rehearse check` to other programs: --sarif, --junit and --format.
#pragma once

#include <string>

#include "app/cli/report/check_text.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::cli {

class OptionSet;

struct MachineFormats {
  std::string sarif, junit;     // files; empty: none
  std::string format = "text";  // of the printed report
};

void declare(OptionSet& app, MachineFormats& formats);

// `json`: the value of --json. Errors: several reports would go to standard output.
Result<void> check_conflicts(const MachineFormats& formats, const std::string& json);

// Prints annotations if that is the format. Returns whether it printed them.
bool print_annotations(const MachineFormats& formats, const app::CheckReport& report);

// Writes the files. The error names the option whose file could not be written.
Result<void> write(const MachineFormats& formats, const app::CheckReport& report);

}  // namespace rehearse::cli
