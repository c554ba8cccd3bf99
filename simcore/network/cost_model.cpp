// SPDX-License-Identifier: MIT
//
// Cost models by name.
#include "simcore/cost_model.hpp"

#include "simcore/network/fluid_cost_model.hpp"

namespace rehearse {

std::string_view cost_model_names() { return network::network_names(); }

Result<std::unique_ptr<CostModel>> make_cost_model(const ModelOptions& options,
                                                   const Platform& platform) {
  const auto constants = network::find_network(options.network);
  if (!constants)
    return Error{"network model '" + options.network +
                 "' does not exist; accepted: " + std::string(cost_model_names())};
  return std::unique_ptr<CostModel>(
      std::make_unique<network::FluidCostModel>(platform, *constants));
}

}  // namespace rehearse
