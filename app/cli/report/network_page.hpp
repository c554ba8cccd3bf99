// SPDX-License-Identifier: MIT
//
// The page of the statistics of a network of packets: one self-contained file, which loads nothing from a network.
//
// Order: the same statistics give the same bytes.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "app/cli/recording/exports.hpp"
#include "app/statistics.hpp"

namespace rehearse::cli {

// `verb`: flows, run, replay, trace replay.
void write_network_page(std::ostream& out, const NetworkStatistics& statistics, const Subject& subject,
                        const std::string& verb, const std::vector<std::string>& notes);

}  // namespace rehearse::cli
