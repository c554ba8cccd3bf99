// SPDX-License-Identifier: MIT
//
// Statistics of networks of packets: what a user asks for, the totals of each run, and their words and formats.
//
// Units:  bytes, seconds.
// Errors: start_statistics: a file with another ending, a network model without packets, an invalid --series.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "simcore/model_options.hpp"
#include "simcore/packet_network.hpp"
#include "simcore/packet_statistics.hpp"
#include "simcore/platform.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct StatisticsRequest {
  std::string file;    // FILE.json, FILE.csv or FILE.html; empty: none
  std::string series;  // links:REGEX,connections:REGEX; empty: only the page has series, of a few
};

// Adds themselves to the options. Null: nothing is requested.
Result<std::unique_ptr<PacketStatistics>> start_statistics(const StatisticsRequest& request, ModelOptions& models,
                                                           const Platform& platform);

// The totals of a network of packets at the end of its run.
struct PacketSummary {
  PacketTotals totals;
  SmallWindow small_window;
  std::vector<PacketLink> links;
};
PacketSummary summary_of(const PacketNetwork& network);

// Sentences about timers, full queues and small windows that decided over the run. `statistics`: may be null.
std::vector<std::string> notes_of(const PacketSummary& summary, const NetworkStatistics* statistics,
                                  const Platform& platform, double end_seconds);
// "1,234 packet-hops, 2,345 events, 3.4 million packet-hops per second".
std::string line_of(const PacketSummary& summary, double wall_seconds);

// Counts and notes, for the reports of runs.
Json to_json(const PacketSummary& summary, const std::vector<std::string>& notes);

// `has_series`: with values over time.
Json to_json(const NetworkStatistics& statistics, const Platform& platform, bool has_series);
// Lines kind,name,quantity,seconds,value.
void write_csv(std::ostream& out, const NetworkStatistics& statistics, const Platform& platform, bool has_series);

}  // namespace rehearse::app
