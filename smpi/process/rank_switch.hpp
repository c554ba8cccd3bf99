// SPDX-License-Identifier: MIT
//
// What changes in this process when a rank runs: libc's standard streams, and the thread-local storage.
//
// Threads: only on the thread that loaded the program.
#pragma once

#include <cstddef>
#include <cstdio>

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

// The same, and its thread-local storage. `host_thread`: the thread pointer of this thread.
class RankSwitch {
 public:
  RankSwitch(RankState& state, void** list, const ThreadPointerSetter& thread_pointer, std::byte* host_thread)
      : streams_(state, list), thread_pointer_(thread_pointer), host_thread_(host_thread) {
    thread_pointer.set(state.thread_pointer);
  }
  ~RankSwitch() { thread_pointer_.set(host_thread_); }
  RankSwitch(const RankSwitch&) = delete;
  RankSwitch& operator=(const RankSwitch&) = delete;

 private:
  StreamSwitch streams_;
  const ThreadPointerSetter& thread_pointer_;
  std::byte* host_thread_;
};

}  // namespace rehearse::smpi
