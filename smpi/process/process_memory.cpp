// SPDX-License-Identifier: MIT
//
// See process_memory.hpp.
#include "smpi/process/process_memory.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

namespace rehearse::smpi {

// The second word of statm is the number of pages in memory.
std::uint64_t process_bytes() {
  char text[128];
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t got = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (got <= 0) return 0;
  text[got] = 0;
  char* second = text;
  std::strtoull(text, &second, 10);
  return std::strtoull(second, nullptr, 10) * 4096;
}

}  // namespace rehearse::smpi
