// SPDX-License-Identifier: MIT
//
// The options that select the reported findings: --only, --without, --exceptions, --errors-return and
// --warnings-as-errors.
#pragma once

#include <string>
#include <vector>

#include "properties/selection.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::cli {

class OptionSet;

struct SelectionOptions {
  std::vector<std::string> only, without;
  std::string exceptions;  // a file
  std::string errors_return = "warning";
  bool warnings_as_errors = false;
};

void declare(OptionSet& app, SelectionOptions& options);

Result<properties::Selection> read_selection(const SelectionOptions& options);

}  // namespace rehearse::cli
