// SPDX-License-Identifier: MIT
//
// Checks options of the generator before anything is drawn.
#pragma once

#include <optional>

#include "simcore/platform_generator.hpp"

namespace rehearse::platform {

// The first value that is not accepted, with the accepted ones; or nothing.
std::optional<Error> option_fault(const GeneratorOptions& options);

}  // namespace rehearse::platform
