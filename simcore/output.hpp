// SPDX-License-Identifier: MIT
//
// Receives the text that actors write.
#pragma once

#include <string_view>

#include "simcore/ids.hpp"

namespace rehearse {

class OutputSink {
 public:
  virtual ~OutputSink() = default;
  // Stream 1 is the actor's output, 2 its error output. Pieces come in the order of writing and may
  // contain several lines or parts of lines.
  virtual void write(ActorId actor, int stream, std::string_view text) = 0;
};

}  // namespace rehearse
