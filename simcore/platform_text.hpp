// SPDX-License-Identifier: MIT
//
// Makes platforms of the text of a platform file, with limits that the caller sets, writes settings into such texts,
// and reads them as text.
//
// Errors: as make_platform; `file` is the name in errors, and the base of relative names of profiles.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "simcore/platform_builder.hpp"

namespace rehearse {

Result<Platform> platform_from_text(const std::string& file, std::string text, PlatformLimits limits = {});

using PlatformSettingTexts = std::vector<std::pair<std::string, std::string>>;

// The text of the platform file with these settings in <config>, in place of those of the same names.
Result<std::string> text_with_settings(const std::string& file, const PlatformSettingTexts& settings);

// The <config> elements of a platform file; empty if it has none.
Result<std::string> config_text(const std::string& file);

}  // namespace rehearse
