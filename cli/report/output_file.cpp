// SPDX-License-Identifier: MIT
//
// A file, or standard output.
#include "cli/report/output_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace rehearse::cli {

std::string write_file(const std::string& file, const std::function<void(std::ostream&)>& write) {
  if (file == "-") {
    write(std::cout);
    std::cout << std::flush;
    return {};
  }
  std::ofstream out(file, std::ios::binary);
  if (out) write(out);
  out << std::flush;
  if (out) return {};
  const std::string why = std::strerror(errno);
  out.close();
  std::error_code ignored;
  if (std::filesystem::is_regular_file(file, ignored)) std::filesystem::remove(file, ignored);
  return "cannot write '" + file + "': " + why;
}

std::string write_text(const std::string& file, std::string_view text) {
  return write_file(file, [text](std::ostream& out) { out << text; });
}

}  // namespace rehearse::cli
