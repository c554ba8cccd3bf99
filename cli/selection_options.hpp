// SPDX-License-Identifier: MIT
//
// Which findings are reported, as options of verbs: --only, --without, --exceptions, --errors-return and
// --warnings-as-errors.
#pragma once

#include <string>
#include <vector>

#include "properties/selection.hpp"
#include "simcore/support/result.hpp"
#include "smpi/process.hpp"

namespace CLI {
class App;
}

namespace rehearse::cli {

struct SelectionOptions {
  std::vector<std::string> only, without;
  std::string exceptions;  // a file
  std::string errors_return = "warning";
  bool warnings_as_errors = false;
};

void declare(CLI::App& app, SelectionOptions& options);

Result<properties::Selection> read_selection(const SelectionOptions& options);

// All warnings are errors now, behind those that were errors already.
void take_warnings_for_errors(std::vector<Finding>& findings);

// What has to be looked at for that.
smpi::BufferChecks buffer_checks(const properties::Selection& selection);

}  // namespace rehearse::cli
