// SPDX-License-Identifier: MIT
//
// Checks the request before the run.
#include "app/statistics.hpp"
#include "simcore/cost_model.hpp"

namespace rehearse::app {

Result<std::unique_ptr<PacketStatistics>> start_statistics(const StatisticsRequest& request, ModelOptions& models,
                                                           const Platform& platform) {
  if (request.file.empty() && request.series.empty()) return std::unique_ptr<PacketStatistics>();
  if (request.file.empty()) return Error{"--series needs --statistics"};
  const auto ends_with = [&](const char* ending) { return request.file.ends_with(ending); };
  if (!ends_with(".json") && !ends_with(".csv") && !ends_with(".html"))
    return Error{"--statistics: '" + request.file + "' given; accepted: FILE.json, FILE.csv, FILE.html"};
  const std::string network = network_model_name(models, platform);
  if (network != "packet")
    return Error{"--statistics: network model '" + network + "' has no packets; accepted: --network packet"};
  auto statistics = make_packet_statistics(request.series);
  if (statistics) models.statistics = statistics.value().get();
  return statistics;
}

PacketSummary summary_of(const PacketNetwork& network) {
  return {network.totals(), network.small_window(), network.links()};
}

}  // namespace rehearse::app
