// SPDX-License-Identifier: MIT
//
// See program_streams.hpp.
#include "simcore/real/program_streams.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace rehearse::real {

void flush_output() {
  std::cout.flush();
  std::fflush(stdout);
}

void write_mark(const std::string& text) {
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    std::size_t at = 0;
    while (at < text.size()) {
      const ssize_t written = write(stream, text.data() + at, text.size() - at);
      if (written <= 0 && errno != EINTR) break;
      if (written > 0) at += static_cast<std::size_t>(written);
    }
  }
}

void leave_program(const std::string& text) {
  constexpr int exit_failed = 2;
  flush_output();
  if (!text.empty()) std::cerr << "rehearse: " << text << std::endl;
  std::_Exit(exit_failed);
}

}  // namespace rehearse::real
