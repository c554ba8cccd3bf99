// SPDX-License-Identifier: MIT
//
// Options for the protocol of messages and what messages cost the ranks.
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

// What the members refer to must live until the arguments are read.
void declare(OptionSet& app, const MessageOptions& options);

}  // namespace rehearse::cli
