// SPDX-License-Identifier: MIT
//
// Options for the protocol of messages and for the costs of messages on ranks.
#pragma once

#include <cstdint>

#include "simcore/message_costs.hpp"

namespace rehearse::cli {

class OptionSet;

// --eager, --handshake, --os, --ois, --or.
struct MessageOptions {
  MessageCosts& costs;
  Handshake& handshake;
  std::uint64_t& eager_bytes;
};

// The referenced variables must live until the arguments are read.
void declare(OptionSet& app, const MessageOptions& options);

}  // namespace rehearse::cli
