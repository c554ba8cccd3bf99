// SPDX-License-Identifier: MIT
//
// See memory_file.hpp.
#include "smpi/process/memory_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>

namespace rehearse::smpi {
namespace {

std::uint64_t kilobytes_of(const std::string& line) {
  std::uint64_t number = 0;
  for (const char c : line)
    if (c >= '0' && c <= '9') number = 10 * number + static_cast<std::uint64_t>(c - '0');
  return number << 10;
}

}  // namespace

bool write_all(int file, const std::byte* from, std::size_t bytes, std::uint64_t offset) {
  while (bytes > 0) {
    const ssize_t written = pwrite(file, from, bytes, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    from += written;
    offset += static_cast<std::uint64_t>(written);
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

std::uint64_t resident_bytes(int file) {
  struct stat about = {};
  return file >= 0 && fstat(file, &about) == 0 ? static_cast<std::uint64_t>(about.st_blocks) * 512 : 0;
}

ProcessMemory process_memory() {
  ProcessMemory now;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssAnon:")) now.of_process = kilobytes_of(line);
    if (line.starts_with("RssFile:")) now.of_files = kilobytes_of(line);
    if (line.starts_with("VmPTE:")) now.page_tables = kilobytes_of(line);
  }
  return now;
}

}  // namespace rehearse::smpi
