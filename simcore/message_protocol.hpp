// SPDX-License-Identifier: MIT
//
// The protocol of a messaging library above the network: which messages are announced, and the time that they cost its
// actors.
//
// Choice: an option of the user wins over the setting of the platform, which wins over the default of the network
//         model.
// Source: the defaults of library_network are in simcore/network/library_parameters.hpp, with their sources.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "simcore/message_costs.hpp"
#include "simcore/platform.hpp"

namespace rehearse {

// The name of the network model with the protocol of such a library.
inline constexpr std::string_view library_network = "mpi";
// The model where neither the options nor the platform name one. Message-passing programs have another default:
// app/machine.hpp.
inline constexpr const char* flow_network = "lv08";

struct MessageProtocol {
  MessageCosts costs;
  Handshake handshake = Handshake::answered;
  std::uint64_t eager_bytes = 65536;
};

// What the user has given. Tables without pieces are not given.
struct MessageProtocolOptions {
  MessageCosts costs;
  std::optional<Handshake> handshake;
  std::optional<std::uint64_t> eager_bytes;
};

// The defaults of a network model. On a platform of one host, no message crosses a network, and none costs its actors
// anything.
MessageProtocol default_protocol(std::string_view network, std::size_t hosts);

MessageProtocol choose_protocol(const MessageProtocolOptions& options, const PlatformSettings& settings,
                                std::string_view network, std::size_t hosts);

}  // namespace rehearse
