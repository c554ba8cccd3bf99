// SPDX-License-Identifier: MIT
//
// Temporary files, named by the system.
#include "tests/support/temporary_file.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "simcore/support/assert.hpp"

namespace rehearse::testing {

TemporaryFile::TemporaryFile(const std::string& text) {
  char name[] = "/tmp/rehearse-test-XXXXXX";
  const int file = mkstemp(name);
  REHEARSE_ASSERT(file >= 0, "a temporary file can be made");
  path_ = name;
  const ssize_t written = write(file, text.data(), text.size());
  REHEARSE_ASSERT(written == static_cast<ssize_t>(text.size()), "a temporary file can be written");
  close(file);
}

TemporaryFile::~TemporaryFile() { std::remove(path_.c_str()); }

}  // namespace rehearse::testing
