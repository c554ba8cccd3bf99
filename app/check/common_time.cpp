// SPDX-License-Identifier: MIT
//
// See common_time.hpp.
#include "app/check/common_time.hpp"

#include <algorithm>

namespace rehearse::app {

double CommonTime::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

double CommonTime::left() const {
  constexpr double least = 0.001;  // an exploration without time says that the time is up
  return std::max(limit_ - seconds(), least);
}

}  // namespace rehearse::app
