// SPDX-License-Identifier: MIT
//
// Of a send that may be cancelled (withheld.hpp).
#pragma once

#include <cstdint>

namespace rehearse::smpi {

struct WithheldState {
  bool is_withheld = false;    // it is cancelled later, and its message is never seen
  bool is_overtaken = false;   // withheld: others were sent the same way meanwhile
  std::uint32_t refusals = 0;  // how often a test said no
};

}  // namespace rehearse::smpi
