// SPDX-License-Identifier: MIT
//
// A file that exists as long as the object.
#pragma once

#include <string>

namespace rehearse::testing {

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace rehearse::testing
