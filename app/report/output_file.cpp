// SPDX-License-Identifier: MIT
//
// A file, whole or not at all.
#include "app/output_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace rehearse::app {

Result<void> write_file(const std::string& file, const std::function<void(std::ostream&)>& write) {
  std::ofstream out(file, std::ios::binary);
  if (out) write(out);
  out << std::flush;
  if (out) return {};
  const std::string why = std::strerror(errno);
  out.close();
  std::error_code ignored;
  if (std::filesystem::is_regular_file(file, ignored)) std::filesystem::remove(file, ignored);
  return Error{"cannot write '" + file + "': " + why};
}

}  // namespace rehearse::app
