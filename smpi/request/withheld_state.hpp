// SPDX-License-Identifier: MIT
//
// The state of a send that may be cancelled (withheld.hpp).
#pragma once

#include <cstdint>

namespace rehearse::smpi {

struct WithheldState {
  bool is_withheld = false;    // the send is cancelled later, and the driver never sees its message
  bool is_overtaken = false;   // after this withheld send, the rank sent another message to the same receiver
  std::uint32_t refusals = 0;  // number of tests that answered "not complete"
};

}  // namespace rehearse::smpi
