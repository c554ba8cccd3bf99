// SPDX-License-Identifier: MIT
//
// A request's reference to its pending buffers (see pending.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "smpi/handle_registry.hpp"

namespace rehearse::smpi {

using BufferToken = std::uint32_t;  // 0: none

// A buffer that was changed while it was pending, or whose function had returned.
struct ChangedBuffer {
  enum class How : std::uint8_t { content, frame };

  How how = How::content;
  std::string buffer;                 // "the send buffer (2 MPI_INT, 8 bytes)"
  CreationSite site;                  // of the call that began the operation
  CreationSite released;              // of the call that freed its request; empty: none
  const void* frame_place = nullptr;  // in the function whose variable it was; null: not known
};

// The result of the end of a use of a buffer.
struct EndedUse {
  std::optional<ChangedBuffer> changed;
  bool has_place = true;  // the data of the operation can be written there
};

}  // namespace rehearse::smpi
