// SPDX-License-Identifier: MIT
//
// What a request keeps of its pending buffers (see pending.hpp).
#pragma once

#include <cstdint>

#include "smpi/handle_registry.hpp"

namespace rehearse::smpi {

using BufferToken = std::uint32_t;  // 0: none

// A buffer that was changed while it was pending.
struct ChangedBuffer {
  CreationSite site;
  bool written = false;  // by the operation
  std::uint64_t bytes = 0;
};

}  // namespace rehearse::smpi
