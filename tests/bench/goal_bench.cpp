// SPDX-License-Identifier: MIT
//
// Speed of GOAL schedules in the LogGOPS model: reading text, and events of the simulation.
#include <benchmark/benchmark.h>

#include <string>

#include "trace/goal.hpp"
#include "trace/log_gops.hpp"

namespace {

using namespace rehearse::trace;

// log2(ranks) rounds of a send to the rank `distance` further and a receive from the one as far behind.
std::string dissemination(std::uint32_t ranks) {
  std::string text = "num_ranks " + std::to_string(ranks) + "\n";
  for (std::uint32_t me = 0; me < ranks; ++me) {
    text += "rank " + std::to_string(me) + " {\n";
    std::uint32_t count = 0;
    for (std::uint32_t distance = 1; distance < ranks; distance *= 2, count += 2) {
      const std::string send = "l" + std::to_string(count + 1);
      text += send + ": send 8b to " + std::to_string((me + distance) % ranks) + "\n";
      if (count > 0) text += send + " requires l" + std::to_string(count) + "\n";
      text += "l" + std::to_string(count + 2) + ": recv 8b from " + std::to_string((me + ranks - distance) % ranks) +
              "\n";
    }
    text += "}\n";
  }
  return text;
}

std::string alltoall(std::uint32_t ranks) {
  std::string text = "num_ranks " + std::to_string(ranks) + "\n";
  for (std::uint32_t me = 0; me < ranks; ++me) {
    text += "rank " + std::to_string(me) + " {\n";
    for (std::uint32_t k = 1; k < ranks; ++k)
      text += "send 1024b to " + std::to_string((me + k) % ranks) + "\nrecv 1024b from " +
              std::to_string((me + ranks - k) % ranks) + "\n";
    text += "}\n";
  }
  return text;
}

void simulate(benchmark::State& state, const std::string& text) {
  const auto schedule = read_goal_text(text, "bench");
  std::uint64_t events = 0;
  for (auto _ : state) events += simulate_log_gops(schedule.value(), {}).value().events;
  state.counters["events/s"] = benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsRate);
}

void goal_dissemination(benchmark::State& state) {
  simulate(state, dissemination(static_cast<std::uint32_t>(state.range(0))));
}

void goal_alltoall(benchmark::State& state) { simulate(state, alltoall(static_cast<std::uint32_t>(state.range(0)))); }

void goal_reading(benchmark::State& state) {
  const std::string text = dissemination(static_cast<std::uint32_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(read_goal_text(text, "bench").value().operations.size());
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * static_cast<std::int64_t>(state.iterations()));
}

BENCHMARK(goal_dissemination)->Arg(4096)->Arg(65536)->Unit(benchmark::kMillisecond);
BENCHMARK(goal_alltoall)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(goal_reading)->Arg(4096)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
