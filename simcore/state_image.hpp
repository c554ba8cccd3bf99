// SPDX-License-Identifier: MIT
//
// An ability of some Programs: to identify the states of a paused actor, so that a driver can find out that two lists
// of answers lead to the same state.
//
// Protocol: ask dynamic_cast for it. An image may be taken whenever next(actor) may be called.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "simcore/ids.hpp"
#include "simcore/support/wide_hash.hpp"

namespace rehearse {

class StateImages {
 public:
  StateImages() = default;
  virtual ~StateImages() = default;
  StateImages(const StateImages&) = delete;
  StateImages& operator=(const StateImages&) = delete;

  // The number of first bytes of a waiting receive's buffer that are left out, because its message overwrites them. No
  // message may be shorter, unless it fills the buffer.
  enum class AwaitedBytes : std::uint64_t { counted = 0, left_out = UINT64_MAX };
  static bool is_too_short(std::uint64_t message_bytes, std::uint64_t buffer_bytes, AwaitedBytes awaited) {
    return message_bytes < std::min(buffer_bytes, static_cast<std::uint64_t>(awaited));
  }

  // The state of the actor, which is paused at an Operation. Two moments with the same Operation and the same image
  // have the same future: after the same answers, the actor makes the same Operations. Empty: unknown. The Operation
  // is not part of the image.
  virtual std::optional<WideHash> image(ActorId actor, AwaitedBytes awaited) = 0;
};

}  // namespace rehearse
