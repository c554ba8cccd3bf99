// SPDX-License-Identifier: MIT
//
// The loss of capacity of a wifi medium that many stations use.
//
// Model:  up to 20 flows have the whole medium; each further flow costs 5424 of 5678270 of it.
// Source: Courageux-Sudan, Guegan, Orgerie, Quinson, A flow-level Wi-Fi model for large scale network
//         simulation, MSWiM 2022, in the values that SimGrid ships.
#include <algorithm>

#include "simcore/cost_model.hpp"

namespace rehearse {

CapacityFunction wifi_decay() {
  return [](double capacity, std::uint32_t flows) {
    constexpr double first = 5678270, each = -5424;
    constexpr double without_loss = 20;
    const double more = std::max(0.0, flows - without_loss);
    return capacity * std::max((first + each * more) / first, 0.0);
  };
}

}  // namespace rehearse
