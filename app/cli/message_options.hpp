// SPDX-License-Identifier: MIT
//
// Options for the protocol of messages and for the costs of messages on ranks.
#pragma once

#include "simcore/message_protocol.hpp"

namespace rehearse::cli {

class OptionSet;

// --eager, --handshake, --os, --ois, --or. `options` must live until the arguments are read.
void declare(OptionSet& app, MessageProtocolOptions& options);

}  // namespace rehearse::cli
