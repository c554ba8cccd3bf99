// SPDX-License-Identifier: MIT
//
// See text_file.hpp.
#include "trace/ti/text_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace rehearse::trace::ti {

TextFile::~TextFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

TextFile::TextFile(TextFile&& other) noexcept
    : path_(std::move(other.path_)),
      keeps_open_(other.keeps_open_),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

std::size_t TextFile::read_at(std::uint64_t offset, std::span<char> into, std::string& problem) const {
  if (descriptor_ < 0) descriptor_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) {
    problem = std::strerror(errno);
    return 0;
  }
  const ssize_t got = pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
  if (got < 0) problem = std::strerror(errno);
  if (got == 0) problem = "it has become shorter";
  if (!keeps_open_) close(std::exchange(descriptor_, -1));
  return got > 0 ? static_cast<std::size_t>(got) : 0;
}

}  // namespace rehearse::trace::ti
