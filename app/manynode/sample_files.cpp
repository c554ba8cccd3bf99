// SPDX-License-Identifier: MIT
//
// See sample_files.hpp.
#include "app/manynode/sample_files.hpp"

#include <algorithm>
#include <filesystem>

#include "app/json.hpp"
#include "simcore/engine.hpp"
#include "simcore/support/format.hpp"
#include "simcore/support/read_file.hpp"
#include "trace/computation.hpp"

namespace rehearse::app {
namespace {

Result<std::vector<std::string>> files_of(const std::vector<std::string>& given) {
  std::vector<std::string> files;
  for (const std::string& each : given) {
    std::error_code fault;
    if (!std::filesystem::is_directory(each, fault)) {
      files.push_back(each);
      continue;
    }
    std::vector<std::string> inside;
    for (const auto& entry : std::filesystem::directory_iterator(each, fault)) {
      if (entry.path().extension() == ".csv") inside.push_back(entry.path().string());
    }
    if (inside.empty()) return Error{fmt::format("{}: a folder without CSV files, expected samples", each)};
    std::ranges::sort(inside);
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

class RecordingSamples final : public trace::ComputationSink {
 public:
  explicit RecordingSamples(manynode::SampleTable& table) : table_(table) {}

  void begin(const trace::ComputationSource& source) override {
    seconds_per_flop_ = 1 / recorded_flops_per_second(source.about);
    table_.ranks = std::max(table_.ranks, source.ranks);
  }

  void on_interval(std::uint32_t rank, const std::string& marker, double flops) override {
    std::vector<manynode::Series>& all = table_.markers[marker];
    if (all.empty() || all.back().rank != rank) all.push_back({rank, {}});
    auto& executions = all.back().executions;
    executions.push_back({executions.size(), flops * seconds_per_flop_});
  }

  void on_sent(std::uint32_t rank, std::uint64_t messages, std::uint64_t bytes) override {
    table_.counters["messages"][rank] += static_cast<double>(messages);
    table_.counters["bytes"][rank] += static_cast<double>(bytes);
  }

 private:
  manynode::SampleTable& table_;
  double seconds_per_flop_ = 0;
};

}  // namespace

double recorded_flops_per_second(const std::string& about) {
  const auto json = parse_json(about);
  if (json && json.value().is_object()) {
    for (const char* key : {"flops_per_second", "reference_flops"}) {
      const Json* found = json.value().find(key);
      if (found != nullptr && found->is_number() && found->get<double>() > 0) return found->get<double>();
    }
  }
  return EngineOptions{}.reference_flops;
}

Result<manynode::SampleTable> read_sample_files(const std::vector<std::string>& given) {
  const auto files = files_of(given);
  if (!files) return files.error();
  manynode::SampleTable table;
  for (const std::string& file : files.value()) {
    if (trace::has_computation(file)) {
      if (files.value().size() > 1) {
        return Error{fmt::format("{}: a recording has all samples of a run, expected it alone", file)};
      }
      RecordingSamples sink(table);
      if (auto read = trace::read_computation(file, sink); !read) return read.error();
      continue;
    }
    const auto text = read_file(file);
    if (!text) return Error{fmt::format("{}: cannot be read, expected samples (CSV) or a recording", file)};
    if (auto read = manynode::read_samples(*text, file, table); !read) return read.error();
  }
  if (auto done = finish(table); !done) return done.error();
  return table;
}

}  // namespace rehearse::app
