// SPDX-License-Identifier: MIT
//
// Makes platforms of the text of a platform file, with limits that the caller sets.
//
// Errors: as make_platform; `file` is the name in errors, and the base of relative names of profiles.
#pragma once

#include <string>

#include "simcore/platform_builder.hpp"

namespace rehearse {

Result<Platform> platform_from_text(const std::string& file, std::string text, PlatformLimits limits = {});

}  // namespace rehearse
