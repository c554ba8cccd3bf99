// SPDX-License-Identifier: MIT
//
// What changes in this process when a rank runs: libc's standard streams, and the thread-local storage.
//
// Threads: only on the thread that loaded the program.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <string>

#include "smpi/process/rank_state.hpp"
#include "smpi/process/thread_block.hpp"

namespace rehearse::smpi {

// Makes a rank's streams the current ones while it lives. `list`: find_stream_list().
class StreamSwitch {
 public:
  StreamSwitch(RankState& state, void** list) : state_(state), list_(list), host_{stdin, stdout, stderr, *list} {
    set(state.streams);
  }
  ~StreamSwitch() {
    state_.streams.all = *list_;
    set(host_);
  }
  StreamSwitch(const StreamSwitch&) = delete;
  StreamSwitch& operator=(const StreamSwitch&) = delete;

 private:
  void set(const StandardStreams& streams) {
    stdin = streams.input;
    stdout = streams.output;
    stderr = streams.error;
    *list_ = streams.all;
  }
  RankState& state_;
  void** list_;
  StandardStreams host_;
};

// Makes the rank's working folder the one of this process while it lives. Most ranks have none of their own.
class FolderSwitch {
 public:
  explicit FolderSwitch(const std::string& folder) {
    if (folder.empty()) return;
    host_ = ::open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (host_ >= 0 && ::chdir(folder.c_str()) != 0) leave();
  }
  ~FolderSwitch() {
    if (host_ >= 0) leave();
  }
  FolderSwitch(const FolderSwitch&) = delete;
  FolderSwitch& operator=(const FolderSwitch&) = delete;

 private:
  void leave() {
    const int changed = ::fchdir(host_);
    static_cast<void>(changed);  // the folder was that of this process before
    ::close(host_);
    host_ = -1;
  }

  int host_ = -1;  // the folder of this process; negative: nothing was changed
};

// The same, and its thread-local storage. `host_thread`: the thread pointer of this thread.
class RankSwitch {
 public:
  RankSwitch(RankState& state, void** list, const ThreadPointerSetter& thread_pointer, std::byte* host_thread)
      : folder_(state.world->folder),
        streams_(state, list),
        thread_pointer_(thread_pointer),
        host_thread_(host_thread) {
    thread_pointer.set(state.thread_pointer);
  }
  ~RankSwitch() { thread_pointer_.set(host_thread_); }
  RankSwitch(const RankSwitch&) = delete;
  RankSwitch& operator=(const RankSwitch&) = delete;

 private:
  FolderSwitch folder_;
  StreamSwitch streams_;
  const ThreadPointerSetter& thread_pointer_;
  std::byte* host_thread_;
};

}  // namespace rehearse::smpi
