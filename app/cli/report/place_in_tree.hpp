// SPDX-License-Identifier: MIT
//
// File names for tools that show findings in a tree of sources: relative to the current folder.
#pragma once

#include <string>

namespace rehearse::cli {

// `file`: a path from debug information. Relative to the folder if it is inside, with '/', without '.' and '..'.
std::string path_in_tree(const std::string& file, const std::string& folder);

// As part of a URI: characters that a URI cannot contain are percent-encoded.
std::string uri_of_path(const std::string& path);

std::string current_folder();

}  // namespace rehearse::cli
