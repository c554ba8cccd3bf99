// SPDX-License-Identifier: MIT
//
// A file that many readers read at different places.
//
// Descriptors: one for each file, or, if there are many files, none between two reads.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace rehearse::trace::ti {

class TextFile {
 public:
  explicit TextFile(std::string path) : path_(std::move(path)) {}
  ~TextFile();
  TextFile(TextFile&& other) noexcept;
  TextFile& operator=(TextFile&&) = delete;

  const std::string& path() const { return path_; }
  // From now on the file is open all the time.
  void keep_open() { keeps_open_ = true; }

  // How many bytes were read, more than 0; otherwise `problem` says why none.
  std::size_t read_at(std::uint64_t offset, std::span<char> into, std::string& problem) const;

 private:
  std::string path_;
  bool keeps_open_ = false;
  mutable int descriptor_ = -1;
};

}  // namespace rehearse::trace::ti
