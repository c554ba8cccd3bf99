// SPDX-License-Identifier: MIT
//
// See capture.hpp.
#include "app/capture.hpp"

#include "simcore/cost_model.hpp"

namespace rehearse::app {

Result<std::unique_ptr<PacketCapture>> start_capture(const std::string& text, ModelOptions& models,
                                                     const Platform& platform) {
  if (text.empty()) return std::unique_ptr<PacketCapture>();
  const std::string network = network_model_name(models, platform);
  if (network != "packet")
    return Error{"--pcap: network model '" + network + "' has no packets; accepted: --network packet"};
  auto capture = make_packet_capture(text);
  if (capture) models.capture = capture.value().get();
  return capture;
}

}  // namespace rehearse::app
