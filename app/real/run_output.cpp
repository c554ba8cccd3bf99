// SPDX-License-Identifier: MIT
//
// See run_output.hpp.
#include "app/real/run_output.hpp"

#include <algorithm>

#include "simcore/real_coordinator.hpp"

namespace rehearse::app {

RunOutput::RunOutput(std::uint32_t processes, std::string_view secret, Write write)
    : begin_(real_output_mark(secret, true)),
      end_(real_output_mark(secret, false)),
      write_(std::move(write)),
      streams_(processes) {
  for (Stream& stream : streams_) stream.parts.resize(1);
}

void RunOutput::add(std::uint32_t process, std::string_view bytes) {
  streams_[process].pending += bytes;
  split(streams_[process]);
  advance();
}

void RunOutput::close(std::uint32_t process) {
  Stream& stream = streams_[process];
  if (stream.is_closed) return;
  stream.is_closed = true;
  stream.parts.back() += stream.pending;
  stream.pending.clear();
  advance();
}

// Text to the parts; the next mark begins the next one.
void RunOutput::split(Stream& stream) {
  while (true) {
    const std::string& mark = stream.parts.size() % 2 == 1 ? begin_ : end_;
    const std::size_t at = stream.pending.find(mark);
    if (at == std::string::npos) break;
    stream.parts.back() += stream.pending.substr(0, at);
    stream.pending.erase(0, at + mark.size());
    stream.parts.emplace_back();
  }
  const std::size_t held = std::min(stream.pending.size(), begin_.size());
  const std::size_t at = stream.pending.find(begin_.front(), stream.pending.size() - held);
  const std::size_t certain = at == std::string::npos ? stream.pending.size() : at;
  stream.parts.back() += stream.pending.substr(0, certain);
  stream.pending.erase(0, certain);
}

bool RunOutput::has_passed(std::uint32_t process) const {
  const Stream& stream = streams_[process];
  return stream.is_closed || stream.parts.size() > phase_ + 1;
}

// Inside of a run, unfinished lines wait.
void RunOutput::show(std::uint32_t process, bool is_complete) {
  Stream& stream = streams_[process];
  if (stream.parts.size() <= phase_) return;
  std::string& part = stream.parts[phase_];
  std::size_t count = part.size();
  if (!is_complete && phase_ % 2 == 1) count = part.rfind('\n') == std::string::npos ? 0 : part.rfind('\n') + 1;
  if (count == 0) return;
  write_(std::string_view(part).substr(0, count));
  part.erase(0, count);
}

void RunOutput::advance() {
  while (true) {
    const bool is_inside = phase_ % 2 == 1;
    bool have_all_passed = true;
    for (std::uint32_t process = 0; process < (is_inside ? streams_.size() : 1); ++process) {
      show(process, has_passed(process));
      have_all_passed = have_all_passed && has_passed(process);
    }
    const bool is_last = std::ranges::all_of(streams_, [&](const Stream& stream) {
      return stream.is_closed && stream.parts.size() <= phase_ + 1;
    });
    if (!have_all_passed || is_last) return;
    ++phase_;
  }
}

}  // namespace rehearse::app
