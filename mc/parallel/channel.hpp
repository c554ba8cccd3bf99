// SPDX-License-Identifier: MIT
//
// A child process that runs a part of this program, and the channel on which it and its parent exchange frames. A
// channel may also connect processes on different machines.
//
// Frames: a kind and some bytes; always whole.
// Ends:   the child never outlives its parent. It runs no exit handlers, so only the parent writes its buffered output.
//         The child ignores Ctrl-C; the parent handles it.
// Errors: a closed channel is the end, for both.
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
  // Ends the connection for all processes that have it.
  void shut_down();

  // Waits until the frame is sent. False: the other side has closed.
  bool send(std::uint8_t kind, std::string_view bytes);

  // Waits for a frame. Nothing: the other side has closed.
  std::optional<Frame> receive();

  // Reads the bytes that have arrived, without waiting; next() then returns their frames. False: no more will come.
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

// Forks. The child calls `work` with its end of the channel, and then ends. It closes the descriptors `siblings`, the
// channels of other children. Nothing: no process could be started; see errno.
std::optional<Child> start_child(const std::vector<int>& siblings, const std::function<void(Channel&)>& work);

// Waits for the end of the process. Returns the status of waitpid.
int reap(pid_t pid);

// "by signal 9 (Killed)", "with exit status 1".
std::string describe_end(int status);

// The proportional set size: bytes of private memory and this process's share of shared memory.
std::uint64_t resident_bytes();

}  // namespace rehearse::mc::parallel
