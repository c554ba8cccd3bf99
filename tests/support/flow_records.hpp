// SPDX-License-Identifier: MIT
//
// Completion dates from an independent simulator for flows and computations on platform files.
//
// Source: flow_oracle.jsonl: one JSON object a line, with the keys platform, scenario, model, lines,
//         result; strings without escapes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rehearse::testing {

struct FlowRecord {
  std::string platform;  // file, below the oracle's folder
  std::string scenario;
  std::string model;                 // LV08, SMPI, CM02
  std::vector<std::string> lines;    // "flow START SOURCE DESTINATION BYTES", "exec START HOST FLOPS"
  std::vector<std::string> results;  // "flow #INDEX start=S end=E ok ..."
};

// The folder with flow_oracle.jsonl: REHEARSE_ORACLE_DIR, or shared/oracle beside the repository or above it; empty if
// there is none.
std::optional<std::string> find_oracle_folder();

std::vector<FlowRecord> read_flow_records(const std::string& folder);

}  // namespace rehearse::testing
