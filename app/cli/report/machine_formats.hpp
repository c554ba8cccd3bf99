// SPDX-License-Identifier: MIT
//
// The options by which `rehearse check` also answers other programs: --sarif, --junit and --format.
#pragma once

#include <string>

#include "app/cli/report/check_text.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::cli {

class OptionSet;

struct MachineFormats {
  std::string sarif, junit;     // files; empty: none
  std::string format = "text";  // of what is said
};

void declare(OptionSet& app, MachineFormats& formats);

// Whether they fit to --json of this value: one text can be on standard output.
Result<void> check_conflicts(const MachineFormats& formats, const std::string& json);

// Whether they were said: prints annotations if that is the format.
bool say(const MachineFormats& formats, const app::CheckReport& report);

// Writes the files. The error says what could not be written.
Result<void> write(const MachineFormats& formats, const app::CheckReport& report);

}  // namespace rehearse::cli
