// SPDX-License-Identifier: MIT
//
// The choice of a protocol.
#include "simcore/message_protocol.hpp"

#include "simcore/network/library_parameters.hpp"

namespace rehearse {
namespace {

const SizeCost& first_given(const SizeCost& option, const SizeCost& setting, const SizeCost& otherwise) {
  if (!option.pieces.empty()) return option;
  return setting.pieces.empty() ? otherwise : setting;
}

}  // namespace

MessageProtocol default_protocol(std::string_view network, std::size_t hosts) {
  if (network != library_network) return {};
  return {hosts > 1 ? network::library_message_costs() : MessageCosts{}, Handshake::answered,
          network::library_eager_bytes};
}

MessageProtocol choose_protocol(const MessageProtocolOptions& options, const PlatformSettings& settings,
                                std::string_view network, std::size_t hosts) {
  const MessageProtocol otherwise = default_protocol(network, hosts);
  MessageProtocol chosen;
  chosen.costs.send = first_given(options.costs.send, settings.message_costs.send, otherwise.costs.send);
  chosen.costs.started_send =
      first_given(options.costs.started_send, settings.message_costs.started_send, otherwise.costs.started_send);
  chosen.costs.receive = first_given(options.costs.receive, settings.message_costs.receive, otherwise.costs.receive);
  chosen.handshake = options.handshake.value_or(settings.handshake.value_or(otherwise.handshake));
  chosen.eager_bytes = options.eager_bytes.value_or(settings.eager_bytes.value_or(otherwise.eager_bytes));
  return chosen;
}

}  // namespace rehearse
