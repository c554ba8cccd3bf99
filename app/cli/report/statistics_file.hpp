// SPDX-License-Identifier: MIT
//
// Writes the statistics of a network of packets to the file that the user requested (`--statistics`).
//
// Errors: `--statistics: `, and the reason why the file could not be written.
#pragma once

#include <string>
#include <vector>

#include "app/cli/recording/exports.hpp"
#include "app/statistics.hpp"

namespace rehearse::cli {

// `notes`: see notes_of() of app/statistics.hpp.
Result<void> write_statistics(const app::StatisticsRequest& request, const NetworkStatistics& statistics,
                              const Subject& subject, const std::string& verb, const std::vector<std::string>& notes);

}  // namespace rehearse::cli
