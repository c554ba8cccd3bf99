// SPDX-License-Identifier: MIT
//
// Platform files: the XML format of SimGrid, versions 4.0 and 4.1.
//
// Accepts: all elements of that format that its version 4.1 knows, and what its documentation promises
//          though the program refuses it; quirks are accepted or explained.
// Errors:  FILE:LINE: what was found and what is accepted.
// Source:  the format as its documentation and its document type definition describe it.
#pragma once

#include <string>

#include "simcore/platform.hpp"

namespace rehearse::platform {

Result<Platform> load_xml(const std::string& file, RoutesOf routes);

}  // namespace rehearse::platform
