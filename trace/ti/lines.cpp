// SPDX-License-Identifier: MIT
//
// Reading runs of lines.
#include "trace/ti/lines.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace rehearse::trace::ti {

Lines::Lines(const TextFile& file, std::span<const LineRun> runs, std::size_t window)
    : file_(file), runs_(runs), window_(window) {
  if (!runs_.empty()) next_number_ = runs_.front().line;
}

// More of the current run behind what is there. False: nothing remains of it, or there is a problem.
bool Lines::fill() {
  const LineRun& run = runs_.front();
  if (read_ == run.bytes) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  const std::size_t room = std::max(window_, 2 * end_);
  if (buffer_.size() < room) buffer_.resize(room);
  const std::size_t wanted = std::min<std::uint64_t>(buffer_.size() - end_, run.bytes - read_);
  std::string problem;
  const std::size_t got = file_.read_at(run.offset + read_, std::span(buffer_).subspan(end_, wanted), problem);
  if (got == 0) {
    problem_ = Error{file_.path() + ": cannot read: " + problem};
    return false;
  }
  end_ += got;
  read_ += got;
  return true;
}

std::optional<std::string_view> Lines::next() {
  std::size_t searched = 0;  // bytes behind begin_ without an end of line
  while (!runs_.empty() && !problem_) {
    const std::size_t there = end_ - begin_ - searched;
    const char* from = buffer_.data() + begin_ + searched;
    if (const void* found = there == 0 ? nullptr : std::memchr(from, '\n', there)) {
      const auto length = static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data()) - begin_;
      const std::string_view line(buffer_.data() + begin_, length);
      begin_ += length + 1;
      number_ = next_number_++;
      return line;
    }
    searched = end_ - begin_;
    if (fill()) continue;
    if (problem_) break;
    const std::string_view rest(buffer_.data() + begin_, end_ - begin_);  // a last line without an end
    number_ = next_number_;
    begin_ = end_ = 0;
    read_ = 0;
    searched = 0;
    runs_ = runs_.subspan(1);
    if (!runs_.empty()) next_number_ = runs_.front().line;
    if (!rest.empty()) return rest;
  }
  return std::nullopt;
}

}  // namespace rehearse::trace::ti
