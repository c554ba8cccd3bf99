// SPDX-License-Identifier: MIT
//
// Reads in pieces, so that pipes work and the size of endless input is limited.
#include "simcore/support/read_file.hpp"

#include <filesystem>
#include <fstream>

namespace rehearse {

std::optional<std::string> read_file(const std::string& path) {
  constexpr std::size_t bytes_max = std::size_t{1} << 30;
  constexpr std::size_t piece = std::size_t{1} << 16;
  std::error_code missing;
  if (std::filesystem::is_character_file(path, missing)) return std::nullopt;  // /dev/zero never ends
  std::ifstream in(path, std::ios::binary);
  std::string text;
  while (in) {
    const std::size_t size = text.size();
    text.resize(size + piece);
    in.read(text.data() + size, piece);
    text.resize(size + static_cast<std::size_t>(in.gcount()));
    if (text.size() > bytes_max) return std::nullopt;
  }
  // A folder opens, and then fails to read.
  if (!in.eof() || in.bad()) return std::nullopt;
  return text;
}

}  // namespace rehearse
