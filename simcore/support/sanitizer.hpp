// SPDX-License-Identifier: MIT
//
// Notifies the address sanitizer of switches between stacks. Does nothing in other builds.
//
// Protocol: construct just before the switch, with the stack that is switched to (none: the stack from which the last
//           switch came). Call arrived() just after control returned; first_arrival() on a fresh stack.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace rehearse {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

class SanitizerSwitch {
 public:
#if defined(__SANITIZE_ADDRESS__)
  SanitizerSwitch(const void* bottom, std::size_t bytes) {
    if (bottom == nullptr) __sanitizer_start_switch_fiber(&fake_stack_, driver_bottom_, driver_bytes_);
    else __sanitizer_start_switch_fiber(&fake_stack_, bottom, bytes);
    to_driver_ = bottom == nullptr;
  }
  void arrived() {
    if (to_driver_) __sanitizer_finish_switch_fiber(fake_stack_, &driver_bottom_, &driver_bytes_);
    else __sanitizer_finish_switch_fiber(fake_stack_, nullptr, nullptr);
  }
  static void first_arrival() { __sanitizer_finish_switch_fiber(nullptr, &driver_bottom_, &driver_bytes_); }

 private:
  void* fake_stack_ = nullptr;
  bool to_driver_ = false;
  static inline thread_local const void* driver_bottom_ = nullptr;
  static inline thread_local std::size_t driver_bytes_ = 0;
#else
  SanitizerSwitch(const void*, std::size_t) {}
  void arrived() {}
  static void first_arrival() {}
#endif
};

// To be called before a stack is used again. The sanitizer discards its state of abandoned frames.
inline void forget_frames([[maybe_unused]] const void* bottom, [[maybe_unused]] std::size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(bottom, bytes);
#endif
}

}  // namespace rehearse
