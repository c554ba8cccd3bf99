// SPDX-License-Identifier: MIT
//
// See statistics_file.hpp.
#include "app/cli/report/statistics_file.hpp"

#include "app/cli/report/network_page.hpp"
#include "app/cli/report/output_file.hpp"

namespace rehearse::cli {

Result<void> write_statistics(const app::StatisticsRequest& request, const NetworkStatistics& statistics,
                              const Subject& subject, const std::string& verb, const std::vector<std::string>& notes) {
  const bool has_series = !request.series.empty();
  const auto written = [&]() -> Result<void> {
    if (request.file.ends_with(".json"))
      return write_json(request.file, app::to_json(statistics, subject.platform, has_series));
    if (request.file.ends_with(".csv"))
      return write_file(request.file,
                        [&](std::ostream& out) { app::write_csv(out, statistics, subject.platform, has_series); });
    return write_file(request.file,
                      [&](std::ostream& out) { write_network_page(out, statistics, subject, verb, notes); });
  }();
  if (!written) return Error{"--statistics: " + written.error().text};
  return {};
}

}  // namespace rehearse::cli
