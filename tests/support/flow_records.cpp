// SPDX-License-Identifier: MIT
//
// Reads the fixed format of flow records; not a general JSON parser.
#include "tests/support/flow_records.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace rehearse::testing {

namespace {

// The strings in the list, or the single string, behind a key.
std::vector<std::string> strings_behind(const std::string& line, const std::string& key) {
  std::vector<std::string> strings;
  const std::size_t start = line.find("\"" + key + "\": ");
  if (start == std::string::npos) return strings;
  std::size_t at = start + key.size() + 4;
  const bool is_list = line[at] == '[';
  while (true) {
    const std::size_t open = line.find('"', at);
    if (open == std::string::npos || (is_list && line.find(']', at) < open)) return strings;
    const std::size_t close = line.find('"', open + 1);
    strings.push_back(line.substr(open + 1, close - open - 1));
    at = close + 1;
    if (!is_list) return strings;
  }
}

}  // namespace

std::optional<std::string> find_oracle_folder() {
  if (const char* folder = std::getenv("REHEARSE_ORACLE_DIR")) return folder;
  namespace fs = std::filesystem;
  const fs::path repository = REHEARSE_SOURCE_DIR;
  for (const fs::path& folder : {repository.parent_path(), repository.parent_path().parent_path()})
    if (fs::exists(folder / "shared/oracle/flow_oracle.jsonl")) return folder / "shared/oracle";
  return std::nullopt;
}

std::vector<FlowRecord> read_flow_records(const std::string& folder) {
  std::vector<FlowRecord> records;
  std::ifstream in(folder + "/flow_oracle.jsonl");
  for (std::string line; std::getline(in, line);) {
    FlowRecord record;
    record.platform = strings_behind(line, "platform").at(0);
    record.scenario = strings_behind(line, "scenario").at(0);
    record.model = strings_behind(line, "model").at(0);
    record.lines = strings_behind(line, "lines");
    record.results = strings_behind(line, "result");
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace rehearse::testing
