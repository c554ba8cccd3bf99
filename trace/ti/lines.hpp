// SPDX-License-Identifier: MIT
//
// The lines of one rank, one after the other, through a window of the file.
//
// Memory:  the window, which grows to the longest line.
// Errors:  problem(): the file cannot be read any more.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simcore/support/result.hpp"
#include "trace/ti/index.hpp"
#include "trace/ti/text_file.hpp"

namespace rehearse::trace::ti {

class Lines {
 public:
  // `window`: bytes to read at once. File and runs must outlive this.
  Lines(const TextFile& file, std::span<const LineRun> runs, std::size_t window);

  // The next line without its end; nothing behind the last one. Valid until the next call.
  std::optional<std::string_view> next();
  std::uint64_t number() const { return number_; }  // of the line that next() gave
  const std::optional<Error>& problem() const { return problem_; }

 private:
  bool fill();

  const TextFile& file_;
  std::span<const LineRun> runs_;
  std::size_t window_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // of what was read and not given
  std::uint64_t read_ = 0;           // of the current run
  std::uint64_t number_ = 0, next_number_ = 0;
  std::optional<Error> problem_;
};

}  // namespace rehearse::trace::ti
