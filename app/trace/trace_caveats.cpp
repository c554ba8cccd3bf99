// SPDX-License-Identifier: MIT
//
// See trace_caveats.hpp.
#include "app/trace_caveats.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "app/json.hpp"
#include "app/trace/recording_file.hpp"
#include "app/wording.hpp"
#include "simcore/support/format.hpp"
#include "trace/inspection.hpp"

namespace rehearse::app {
namespace {

constexpr double dominating_part = 0.95;

// The limit of the recorded run; nothing: unknown.
std::optional<std::uint64_t> recorded_eager_bytes(const std::string& about) {
  const auto json = parse_json(about);
  if (!json || !json.value().is_object() || !json.value().contains("options")) return std::nullopt;
  const Json& options = json.value()["options"];
  if (!options.is_object() || !options.contains("eager_bytes")) return std::nullopt;
  const Json& bytes = options["eager_bytes"];
  if (!bytes.is_number_unsigned()) return std::nullopt;
  return bytes.get<std::uint64_t>();
}

void add_eager_limit(const TraceReplayRequest& request, const TraceReplay& replay, std::vector<std::string>& caveats) {
  const auto recorded = recorded_eager_bytes(replay.about);
  const std::uint64_t eager_bytes = replay.machine->protocol.eager_bytes;
  if (!recorded || *recorded == eager_bytes) return;
  const auto [low, high] = std::minmax(*recorded, eager_bytes);
  const auto count = trace::count_sends(request.file, low, high);
  if (!count || count.value() == 0) return;
  caveats.push_back(fmt::format("{} had another protocol in the recorded run, whose --eager was {}: here it is {}",
                                counted(count.value(), "send"), *recorded, eager_bytes));
}

void add_dominating_computation(const TraceReplay& replay, std::vector<std::string>& caveats) {
  double sum = 0;
  for (const ActorResult& rank : replay.run.result.actors) sum += rank.compute_seconds;
  const double all = replay.run.result.end.seconds() * static_cast<double>(replay.run.result.actors.size());
  if (!(all > 0) || sum / all < dominating_part) return;
  caveats.push_back(fmt::format("computation takes {:.1f} % of the time, so a faster network saves at most {:.1f} %",
                                100 * sum / all, 100 * (1 - sum / all)));
}

// Of the machine of the recording, if it measured times.
void add_disturbance(const TraceReplay& replay, std::vector<std::string>& caveats) {
  const auto json = parse_json(replay.about);
  if (!json || !json.value().is_object()) return;
  const Json* part = json.value().find("core_part");
  const Json* is_slow = json.value().find("slow_core");
  if (part != nullptr && part->is_number())
    caveats.push_back(
        fmt::format("the recorded run had a core in {:.0f} % of its time, and other load can make measured "
                    "computation longer: record again on a quiet machine",
                    100 * part->get<double>()));
  else if (is_slow != nullptr)
    caveats.push_back("the core became slower during the recorded run, which makes measured computation longer: record "
                      "again on a quiet machine");
}

void add_shared_hosts(const TraceReplay& replay, std::vector<std::string>& caveats) {
  std::map<HostId, std::uint32_t> ranks_on;
  for (const ActorResult& rank : replay.run.result.actors) ++ranks_on[rank.host];
  std::uint32_t hosts = 0, ranks = 0;
  for (const auto& [host, count] : ranks_on) {
    if (count <= replay.machine->platform.host(host).cores) continue;
    ++hosts;
    ranks += count;
  }
  if (hosts > 0)
    caveats.push_back(fmt::format("{} share the cores of {}, so their times of computation contain waiting for cores",
                                  counted(ranks, "rank"), counted(hosts, "host")));
}

}  // namespace

std::vector<std::string> caveats_of(const TraceReplayRequest& request, const TraceReplay& replay) {
  std::vector<std::string> caveats;
  if (const DataMark mark = mark_in(replay.about); mark.is_needed())
    caveats.push_back(
        fmt::format("data: {}: {} in the recorded run, so calls that depend on data may differ from those "
                    "of a full run",
                    mark.words(), mark.reason()));
  if (replay.frozen.wildcards > 0)
    caveats.push_back(fmt::format("{} with a wildcard took the recorded message, and another order may be possible "
                                  "here: compare --wildcards free",
                                  counted(replay.frozen.wildcards, "receive")));
  if (replay.frozen.polls > 0)
    caveats.push_back(fmt::format("{} with a positive answer in the recorded run waited for it here, so the program "
                                  "cannot do other work meanwhile",
                                  counted(replay.frozen.polls, "test")));
  for (const std::string& place : replay.unused_rates)
    caveats.push_back("no call of the trace is in '" + place + "', which has a rate in " + request.rate_file);
  add_disturbance(replay, caveats);
  add_eager_limit(request, replay, caveats);
  add_dominating_computation(replay, caveats);
  add_shared_hosts(replay, caveats);
  return caveats;
}

}  // namespace rehearse::app
