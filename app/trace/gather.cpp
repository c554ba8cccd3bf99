// SPDX-License-Identifier: MIT
//
// See gather.hpp.
#include "app/gather.hpp"

#include <algorithm>
#include <utility>

#include "app/json.hpp"
#include "app/version.hpp"
#include "app/wording.hpp"

namespace rehearse::app {
namespace {

// "0-3,8".
std::string ranges_of(const std::vector<std::uint32_t>& ranks) {
  std::string text;
  for (std::size_t first = 0, end; first < ranks.size(); first = end) {
    for (end = first + 1; end < ranks.size() && ranks[end] == ranks[end - 1] + 1;) ++end;
    text += (text.empty() ? "" : ",") + std::to_string(ranks[first]);
    if (end - first > 1) text += "-" + std::to_string(ranks[end - 1]);
  }
  return text;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string about(const trace::RankStreams& streams, const GatherRequest& request) {
  const bool counts_instructions = streams.counter() == trace::Counter::instructions;
  Json machines = Json::array();
  for (const trace::StreamMachine& machine : streams.machines())
    machines.push_back({{"name", machine.name}, {"processor", machine.processor}, {"ranks", ranges_of(machine.ranks)}});
  const Json facts = {{"recorder", "rehearse " + std::string(version)},
                      {"mpi", joined(streams.libraries())},
                      {"ranks", streams.ranks()},
                      {"command", streams.command()},
                      {"machines", std::move(machines)},
                      {"counter", counts_instructions ? "instructions" : "processor time of the thread"},
                      {counts_instructions ? "flops_per_instruction" : "flops_per_second",
                       counts_instructions ? request.rates.flops_per_instruction : request.rates.flops_per_second},
                      {"polls", streams.polls()}};
  return facts.dump();
}

std::vector<std::string> warnings_about(const trace::RankStreams& streams) {
  std::vector<std::string> warnings;
  const std::vector<trace::StreamMachine> machines = streams.machines();
  const bool differ = std::ranges::any_of(machines, [&](const trace::StreamMachine& machine) {
    return machine.processor != machines[0].processor;
  });
  if (differ) {
    std::string text = "the ranks ran on different processors, so their volumes have different units:";
    for (const trace::StreamMachine& machine : machines)
      text += " " + machine.processor + " (ranks " + ranges_of(machine.ranks) + " on " + machine.name + ");";
    text.pop_back();
    warnings.push_back(std::move(text));
  }
  if (streams.libraries().size() > 1)
    warnings.push_back("the ranks ran under different MPIs: " + joined(streams.libraries()));
  if (const auto unfinished = streams.unfinished(); !unfinished.empty())
    warnings.push_back("the recording is incomplete: ranks that did not end by themselves: " + ranges_of(unfinished));
  return warnings;
}

}  // namespace

Result<GatherReport> gather(const GatherRequest& request) {
  auto streams = trace::RankStreams::open(request.inputs);
  if (!streams) return streams.error();
  GatherReport report;
  report.ranks = streams.value().ranks();
  report.libraries = joined(streams.value().libraries());
  report.warnings = warnings_about(streams.value());
  auto written = streams.value().write(request.output, about(streams.value(), request), request.rates);
  if (!written) return written.error();
  report.actions = written.value().actions;
  report.unsupported = std::move(written.value().unsupported);
  return report;
}

}  // namespace rehearse::app
