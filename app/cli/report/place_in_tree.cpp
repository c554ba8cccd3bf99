// SPDX-License-Identifier: MIT
//
// Paths and URIs. Source: RFC 3986, section 2.3 (unreserved characters).
#include "app/cli/report/place_in_tree.hpp"

#include <cctype>
#include <cstdio>
#include <filesystem>
#include <string_view>

namespace rehearse::cli {

namespace fs = std::filesystem;

std::string path_in_tree(const std::string& file, const std::string& folder) {
  const fs::path path = fs::path(file).lexically_normal();
  if (!path.is_absolute()) return path.generic_string();
  const fs::path inside = path.lexically_relative(folder);
  return inside.empty() || *inside.begin() == ".." ? path.generic_string() : inside.generic_string();
}

std::string uri_of_path(const std::string& path) {
  std::string uri;
  constexpr std::string_view unreserved = "-._~/";
  for (const char c : path) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || unreserved.find(c) != unreserved.npos) {
      uri += c;
      continue;
    }
    char code[4];
    std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
    uri += code;
  }
  return uri;
}

std::string current_folder() {
  std::error_code ignored;
  return fs::current_path(ignored).generic_string();
}

}  // namespace rehearse::cli
