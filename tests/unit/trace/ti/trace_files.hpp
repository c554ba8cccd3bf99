// SPDX-License-Identifier: MIT
//
// Files of time-independent traces for the tests, in a folder that exists while the object does.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace rehearse::trace::ti {

class TraceFiles {
 public:
  TraceFiles() {
    std::string name = (std::filesystem::temp_directory_path() / "rehearse-ti-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) folder_ = name;
  }
  ~TraceFiles() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TraceFiles(const TraceFiles&) = delete;
  TraceFiles& operator=(const TraceFiles&) = delete;

  // Its path.
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return (folder_ / name).string();
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

}  // namespace rehearse::trace::ti
