// SPDX-License-Identifier: MIT
//
// Dates on the command line.
//
// Form:   `now`, YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss, in UTC.
// Errors: the value and the accepted values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "simcore/support/result.hpp"

namespace rehearse::cli {

// In seconds since 1970; nothing for an empty text.
Result<std::optional<std::int64_t>> read_date(const std::string& text);

}  // namespace rehearse::cli
