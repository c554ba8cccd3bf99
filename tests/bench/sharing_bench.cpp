// SPDX-License-Identifier: MIT
//
// Figures of the rate-sharing solver by itself: whole simulations of flows, and one-shot systems.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <vector>

#include "simcore/sharing/fluid.hpp"
#include "simcore/sharing/progressive_filling.hpp"

namespace rehearse::sharing {
namespace {

struct Arrival {
  TimePoint date;
  Work work;
  std::vector<Use> uses;
};

// Starts every flow at its date and runs to the end. Returns the last date in seconds.
double simulate(Fluid& fluid, std::vector<Arrival>& arrivals) {
  std::vector<ActivityIndex> ended;
  TimePoint now;
  std::size_t next = 0;
  while (next < arrivals.size() || fluid.is_busy()) {
    const TimePoint date = fluid.next_date();
    if (next < arrivals.size() && arrivals[next].date <= date) {
      now = arrivals[next].date;
      for (; next < arrivals.size() && arrivals[next].date == now; ++next) {
        arrivals[next].work.uses = arrivals[next].uses;
        fluid.start(arrivals[next].work, now);
      }
      continue;
    }
    now = date;
    ended.clear();
    fluid.advance(now, ended);
  }
  return now.seconds();
}

// Flows between random hosts that have a link up and a link down, as LV08 describes them.
std::vector<Arrival> random_flows(std::uint32_t hosts, std::uint32_t flows, double spread, double cross_traffic,
                                  std::uint32_t backbones) {
  std::mt19937 random(42);
  const auto real = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  std::vector<Arrival> arrivals(flows);
  for (Arrival& arrival : arrivals) {
    const auto source = static_cast<std::uint32_t>(random() % hosts);
    const auto target = (source + 1 + static_cast<std::uint32_t>(random() % (hosts - 1))) % hosts;
    arrival.date = TimePoint{} + Duration::from_seconds(spread * real(0, 1));
    const double links = 2 + backbones, latency = 50e-6 * links;
    arrival.work.delay = Duration::from_seconds(13.01 * latency);
    arrival.work.amount = real(1e6, 1e8) / 0.97;
    arrival.work.weight = latency + links * 20537 / 125e6;
    arrival.work.bound = std::min(125e6, 4194304 / (2 * latency));
    arrival.uses = {{2 * source, 1}, {2 * target + 1, 1}};
    if (backbones > 0) arrival.uses.push_back({2 * hosts, 1});
    if (cross_traffic > 0) {
      arrival.uses.push_back({2 * source + 1, cross_traffic});
      arrival.uses.push_back({2 * target, cross_traffic});
      if (backbones > 0) arrival.uses.push_back({2 * hosts, cross_traffic});
    }
  }
  std::sort(arrivals.begin(), arrivals.end(), [](const Arrival& a, const Arrival& b) { return a.date < b.date; });
  return arrivals;
}

void run(benchmark::State& state, std::uint32_t hosts, double spread, std::uint32_t backbones) {
  const auto flows = static_cast<std::uint32_t>(state.range(0));
  const double cross_traffic = state.range(1) ? 0.05 : 0;
  std::vector<Arrival> arrivals = random_flows(hosts, flows, spread, cross_traffic, backbones);
  double end = 0;
  for (auto _ : state) {
    Fluid fluid;
    for (std::uint32_t i = 0; i < 2 * hosts; ++i) fluid.add_resource(125e6);
    for (std::uint32_t i = 0; i < backbones; ++i) fluid.add_resource(125e6);
    end = simulate(fluid, arrivals);
  }
  state.SetItemsProcessed(state.iterations() * flows);
  state.counters["simulated_seconds"] = end;
}

void crossbar(benchmark::State& state) { run(state, 1000, 1, 0); }
BENCHMARK(crossbar)->ArgsProduct({{1000, 10000, 20000}, {0, 1}})->Unit(benchmark::kMillisecond);

void backbone(benchmark::State& state) { run(state, 100, 0, 1); }
BENCHMARK(backbone)->ArgsProduct({{2000, 8000, 32000}, {0, 1}})->Unit(benchmark::kMillisecond);

// Pairs that do not meet: each event concerns one resource of many.
void components(benchmark::State& state) {
  const auto count = static_cast<std::uint32_t>(state.range(0));
  std::mt19937 random(7);
  std::vector<Arrival> arrivals(4 * count);
  for (std::uint32_t i = 0; i < arrivals.size(); ++i) {
    arrivals[i].work.amount = 1e6 + static_cast<double>(random() % 100000000);
    arrivals[i].uses = {{i % count, 1}};
  }
  for (auto _ : state) {
    Fluid fluid;
    for (std::uint32_t i = 0; i < count; ++i) fluid.add_resource(1e8);
    benchmark::DoNotOptimize(simulate(fluid, arrivals));
  }
  state.SetItemsProcessed(state.iterations() * 4 * count);
}
BENCHMARK(components)->Arg(1000)->Arg(10000)->Arg(100000)->Unit(benchmark::kMillisecond);

// One random system from nothing: constraints x variables.
void one_system(benchmark::State& state) {
  const auto size = static_cast<std::uint32_t>(state.range(0));
  std::mt19937 random(3);
  ProgressiveFilling filling;
  for (auto _ : state) {
    state.PauseTiming();
    filling.clear();
    for (std::uint32_t i = 0; i < size; ++i) filling.add_resource(1 + random() % 1000 / 100.0);
    for (std::uint32_t i = 0; i < size; ++i) {
      filling.add_flow(1, random() % 5 ? unbounded : 0.5 + random() % 100 / 100.0);
      const std::uint32_t uses = std::min<std::uint32_t>(size, 32 + random() % 256);
      const std::uint32_t first = random() % size;
      std::uint32_t place = first;
      for (std::uint32_t u = 0; u < uses; ++u) {
        filling.add_use(place, 0.1 + random() % 10 / 10.0);
        place = (place + 7) % size;
        if (place == first) break;
      }
    }
    state.ResumeTiming();
    filling.solve();
  }
}
BENCHMARK(one_system)->Arg(10)->Arg(100)->Arg(2000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace rehearse::sharing

BENCHMARK_MAIN();
