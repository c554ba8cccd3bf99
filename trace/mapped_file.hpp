// SPDX-License-Identifier: MIT
//
// A file in the address space, read-only.
//
// Memory:  pages that were read count for the process until forget_before().
// Errors:  problem(): why the file cannot be read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rehearse::trace {

class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::string& problem() const { return problem_; }
  std::string_view text() const { return text_; }

  // Returns the pages before this offset. A later access reads them from the file again.
  void forget_before(std::size_t offset);

 private:
  std::string_view text_;
  std::string problem_;
  std::size_t forgotten_ = 0;
};

}  // namespace rehearse::trace
