// SPDX-License-Identifier: MIT
//
// Where the text that actors write goes.
#pragma once

#include <string_view>

#include "simcore/ids.hpp"

namespace rehearse {

class OutputSink {
 public:
  virtual ~OutputSink() = default;
  // Stream 1 is the actor's output, 2 its error output. Pieces come in the order in which the actors
  // wrote them, not cut at line ends.
  virtual void write(ActorId actor, int stream, std::string_view text) = 0;
};

}  // namespace rehearse
