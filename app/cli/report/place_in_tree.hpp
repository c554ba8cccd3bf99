// SPDX-License-Identifier: MIT
//
// File names of findings as tools that show them in a tree of sources want them: relative to the current folder.
#pragma once

#include <string>

namespace rehearse::cli {

// A path as debug information has it; relative to the folder if it is inside, with '/', without '.' and '..' inside.
std::string path_in_tree(const std::string& file, const std::string& folder);

// As part of a URI: what may not stand there is percent-encoded.
std::string uri_of_path(const std::string& path);

std::string current_folder();

}  // namespace rehearse::cli
