// SPDX-License-Identifier: MIT
//
// Cost models by name.
#include "simcore/cost_model.hpp"

#include "simcore/cost/shared_cost_model.hpp"
#include "simcore/network/network_parameters.hpp"
#include "simcore/network/plain_paths.hpp"

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
  return std::unique_ptr<CostModel>(
      std::make_unique<cost::SharedCostModel>(platform, std::move(parameters.value()), options));
}

}  // namespace rehearse
