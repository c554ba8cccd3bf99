// SPDX-License-Identifier: MIT
//
// An ability of some Programs: to identify the states of a paused actor, so that a driver can find out that two lists
// of answers lead to the same state.
//
// Protocol: ask dynamic_cast for it. An image may be taken whenever next(actor) may be called.
#pragma once

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

  // The buffer of a waiting receive, which its message overwrites.
  enum class AwaitedBytes : bool {
    counted,
    left_out  // the message must not be shorter than the receive has room for
  };

  // The state of the actor, which is paused at an Operation. Two moments with the same Operation and the same image
  // have the same future: after the same answers, the actor makes the same Operations. Empty: unknown. The Operation
  // is not part of the image.
  virtual std::optional<WideHash> image(ActorId actor, AwaitedBytes awaited) = 0;
};

}  // namespace rehearse
