// SPDX-License-Identifier: MIT
//
// The usage of a platform in a run: who used which hosts and links, how much, and when. As JSON, and as sums.
//
// Units:   flops, bytes, seconds.
// Errors:  read_usage: the file, the place, the accepted files.
// Threads: none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "simcore/support/result.hpp"
#include "simcore/use_map.hpp"

namespace rehearse::app {

struct Usage {
  std::string program;  // as the user named it
  UseMap map;
};

// The document of `rehearse run --usage FILE.json` (docs/usage.md).
Json to_json(const Usage& usage);
Result<Usage> read_usage(const std::string& file);

// Sums over the whole run.
struct UsageSums {
  std::vector<std::vector<double>> zones;  // flops by zone, with the zones in it, and by category
  std::vector<double> hosts;               // flops by category, of all hosts
  std::vector<double> links;               // bytes by category, over all links
  std::vector<double> of_link;             // bytes by link, of all categories
};
UsageSums sums_of(const UseMap& map);

// The flops that a zone's hosts could have done in the run at their initial speed.
std::vector<double> capacities_of(const UseMap& map);

}  // namespace rehearse::app
