// SPDX-License-Identifier: MIT
//
// Platforms from the text of a platform file, with limits of the caller's.
//
// Errors: as make_platform; `file` is the name that they and relative names of profiles refer to.
#pragma once

#include <string>

#include "simcore/platform_builder.hpp"

namespace rehearse {

Result<Platform> platform_from_text(const std::string& file, std::string text, PlatformLimits limits = {});

}  // namespace rehearse
