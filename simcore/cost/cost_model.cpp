// SPDX-License-Identifier: MIT
//
// Cost models by name.
#include "simcore/cost_model.hpp"

#include "simcore/cost/shared_cost_model.hpp"
#include "simcore/network/network_parameters.hpp"
#include "simcore/network/plain_paths.hpp"
#include "simcore/ns3/ns3_cost_model.hpp"
#include "simcore/packet/packet_cost_model.hpp"

namespace rehearse {

std::string_view cost_model_names() { return network::network_names(); }

std::span<const ModelDescription> network_models() { return network::descriptions(); }

std::string network_model_name(const ModelOptions& options, const Platform& platform) {
  return network::name_of_network(options, platform);
}

Result<std::unique_ptr<CostModel>> make_cost_model(const ModelOptions& options, const Platform& platform) {
  auto parameters = network::make_network_parameters(options, platform);
  if (!parameters) return parameters.error();
  if (parameters.value().kind == network::NetworkKind::last_mile)
    if (const auto error = network::LastMilePaths::check(platform)) return *error;
  const bool has_packets = parameters.value().name == "packet", has_ns3 = parameters.value().name == "ns3";
  if (!has_packets && !has_ns3 && !options.packet.empty())
    return Error{"packet parameters given with network model '" + parameters.value().name + "'; accepted: packet, ns3"};
  if (!has_packets && !options.packet_losses.empty())
    return Error{"--packet-loss: given with network model '" + parameters.value().name + "'; accepted: packet"};
  auto shared = std::make_unique<cost::SharedCostModel>(platform, std::move(parameters.value()), options);
  if (has_packets) return packet::make_packet_cost_model(options, platform, std::move(shared));
  if (has_ns3) return ns3::make_ns3_cost_model(options, platform, std::move(shared));
  return std::unique_ptr<CostModel>(std::move(shared));
}

}  // namespace rehearse
