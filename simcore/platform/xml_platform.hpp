// SPDX-License-Identifier: MIT
//
// Platform files: the XML format of SimGrid, versions 4.0 and 4.1.
//
// Accepts: all elements of version 4.1, and the parts of its documentation that SimGrid itself refuses. Quirks are
//          accepted or explained in an error.
// Errors:  FILE:LINE: the text found and the accepted forms.
// Source:  the format as its documentation and its document type definition describe it.
#pragma once

#include <string>

#include "simcore/platform.hpp"

namespace rehearse::platform {

Result<Platform> load_xml(const std::string& file, RoutesOf routes);

}  // namespace rehearse::platform
