// SPDX-License-Identifier: MIT
//
// See mapped_file.hpp.
#include "trace/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace rehearse::trace {

MappedFile::MappedFile(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) != 0) {
    problem_ = std::strerror(errno);
  } else if (!S_ISREG(status.st_mode)) {
    problem_ = "it is not a file";
  } else if (status.st_size > 0) {
    void* at = mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (at == MAP_FAILED) problem_ = std::strerror(errno);
    else text_ = {static_cast<const char*>(at), static_cast<std::size_t>(status.st_size)};
  }
  if (descriptor >= 0) close(descriptor);
}

MappedFile::~MappedFile() {
  if (!text_.empty()) munmap(const_cast<char*>(text_.data()), text_.size());
}

void MappedFile::forget_before(std::size_t offset) {
  constexpr std::size_t step = std::size_t{1} << 24;
  const std::size_t until = offset / step * step;
  if (until <= forgotten_) return;
  madvise(const_cast<char*>(text_.data()) + forgotten_, until - forgotten_, MADV_DONTNEED);
  forgotten_ = until;
}

}  // namespace rehearse::trace
