// SPDX-License-Identifier: MIT
//
// rehearse calibrate --pairs: from measurements between some pairs of hosts to a platform file.
//
// Errors: prints them, and returns the exit status.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rehearse::cli {

struct CalibratePairsOptions {
  std::vector<std::string> files;
  std::string platform, html, json;  // files to write; empty: none
  std::string statistic, links;      // empty: the default
  std::uint32_t folds = 10;
  bool quiet = false;
};

int run_calibrate_pairs(const CalibratePairsOptions& options);

}  // namespace rehearse::cli
