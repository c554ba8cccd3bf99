// SPDX-License-Identifier: MIT
//
// The standard output of the processes of one program as the output of one run: what they write inside of a run() comes
// from all of them, in whole lines; the rest, which all of them write, from the first one.
//
// Order:   the parts before, inside and behind a run() follow each other, whichever process is first.
// Threads: none.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rehearse::app {

class RunOutput {
 public:
  using Write = std::function<void(std::string_view text)>;
  RunOutput(std::uint32_t processes, std::string_view secret, Write write);

  void add(std::uint32_t process, std::string_view bytes);
  void close(std::uint32_t process);  // no more comes

 private:
  struct Stream {
    std::string pending;             // perhaps the beginning of a mark
    std::vector<std::string> parts;  // by phase; even: outside of a run
    bool is_closed = false;
  };
  void split(Stream& stream);
  void advance();
  void show(std::uint32_t process, bool is_complete);
  bool has_passed(std::uint32_t process) const;

  std::string begin_, end_;
  Write write_;
  std::size_t phase_ = 0;
  std::vector<Stream> streams_;
};

}  // namespace rehearse::app
