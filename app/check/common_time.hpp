// SPDX-License-Identifier: MIT
//
// One limit of time (Bounds::max_seconds) for several explorations of one request, one after the other.
#pragma once

#include <chrono>

#include "app/check.hpp"

namespace rehearse::app {

class CommonTime {
 public:
  // The limit of the request, from now on. The request outlives this object, and gets its limit back.
  explicit CommonTime(CheckRequest& request) : request_(request), limit_(request.bounds.max_seconds) {}
  ~CommonTime() { request_.bounds.max_seconds = limit_; }
  CommonTime(const CommonTime&) = delete;
  CommonTime& operator=(const CommonTime&) = delete;

  // The request gets the time that is left.
  void begin_exploration() { request_.bounds.max_seconds = left(); }
  // The seconds that are left; a little more than 0 if there are none.
  double left() const;
  // Since the construction.
  double seconds() const;

 private:
  CheckRequest& request_;
  double limit_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace rehearse::app
