// SPDX-License-Identifier: MIT
//
// The captures of packets of one run (`--pcap`).
//
// Errors: a network model without packets, and those of make_packet_capture().
#pragma once

#include <memory>
#include <string>

#include "simcore/model_options.hpp"
#include "simcore/packet_capture.hpp"
#include "simcore/platform.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

// Adds itself to the options. An empty text, DIR[:REGEX]: no capture, null.
Result<std::unique_ptr<PacketCapture>> start_capture(const std::string& text, ModelOptions& models,
                                                     const Platform& platform);

}  // namespace rehearse::app
