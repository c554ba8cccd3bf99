// SPDX-License-Identifier: MIT
//
// A child process that runs a part of this program, and the line on which it and its parent exchange frames.
//
// Frames: a kind and some bytes; whole or not at all.
// Ends:   the child never outlives its parent and runs none of the exit handlers: what the parent has buffered for its
//         own output stays the parent's. Ctrl-C is the parent's business.
// Errors: a closed line is the end, for both.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rehearse::mc::parallel {

struct Frame {
  std::uint8_t kind = 0;
  std::string bytes;
};

class Channel {
 public:
  Channel() = default;
  explicit Channel(int descriptor) : descriptor_(descriptor) {}
  Channel(Channel&& other) noexcept;
  Channel& operator=(Channel&& other) noexcept;
  ~Channel() { close(); }

  int descriptor() const { return descriptor_; }
  void close();

  // Waits until it is gone. False: nobody is there.
  bool send(std::uint8_t kind, std::string_view bytes);

  // Waits for one.
  std::optional<Frame> receive();

  // Takes what has come, without waiting; false: there will be no more. Then next() gives frame after frame.
  bool fetch();
  std::optional<Frame> next();

 private:
  int descriptor_ = -1;
  std::string received_;
  std::size_t read_ = 0;
};

struct Child {
  pid_t pid = -1;
  Channel channel;
};

// Forks; the child calls `work` with its end, and ends. It closes these descriptors, which are its siblings' lines.
// Nothing: no process can be made, errno says why.
std::optional<Child> start_child(const std::vector<int>& siblings, const std::function<void(Channel&)>& work);

// Waits for its end; the status as of waitpid.
int reap(pid_t pid);

// "by signal 9 (Killed)", "with exit status 1".
std::string describe_end(int status);

// Bytes of memory that only this process keeps in use, and its share of what others use, too.
std::uint64_t resident_bytes();

}  // namespace rehearse::mc::parallel
