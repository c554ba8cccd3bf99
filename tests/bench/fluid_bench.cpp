// SPDX-License-Identifier: MIT
//
// Figures of fair sharing alone: whole systems solved at once, and one more flow beside many that it does not meet.
#include <benchmark/benchmark.h>

#include <vector>

#include "simcore/sharing/fluid.hpp"
#include "tests/bench/side_by_side/workload.hpp"

namespace rehearse {
namespace {

using sharing::Fluid;

// `flows` flows, each through `links` random ones of as many resources as there are flows; all begin at once.
void start_random(Fluid& fluid, std::size_t flows, std::size_t links) {
  bench::Generator random(3);
  for (std::size_t i = 0; i < flows; ++i) fluid.add_resource(random.between(1e6, 1e8));
  std::vector<sharing::Use> uses(links);
  for (std::size_t i = 0; i < flows; ++i) {
    for (sharing::Use& use : uses) {
      use = {static_cast<sharing::ResourceIndex>(random.below(flows)), 1};
    }
    fluid.start({.delay = {}, .amount = 1e9, .weight = random.between(0.5, 2), .uses = uses}, {});
  }
}

void share_at_once(benchmark::State& state) {
  const auto flows = static_cast<std::size_t>(state.range(0));
  for (auto _ : state) {
    Fluid fluid;
    start_random(fluid, flows, 4);
    const bench::Stopwatch watch;
    benchmark::DoNotOptimize(fluid.next_date());
    state.SetIterationTime(watch.seconds());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(share_at_once)->Arg(10)->Arg(100)->Arg(2000)->Arg(20'000)->UseManualTime();

// One more flow, alone on a resource, comes, is shared out and goes again.
void one_more_flow(benchmark::State& state) {
  Fluid fluid;
  start_random(fluid, static_cast<std::size_t>(state.range(0)), 4);
  const sharing::Use use{fluid.add_resource(1e6), 1};
  benchmark::DoNotOptimize(fluid.next_date());
  for (auto _ : state) {
    const sharing::ActivityIndex flow = fluid.start({.delay = {}, .amount = 1e9, .uses = {&use, 1}}, {});
    benchmark::DoNotOptimize(fluid.next_date());
    fluid.cancel(flow, {});
    benchmark::DoNotOptimize(fluid.next_date());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(one_more_flow)->Arg(10)->Arg(10'000);

}  // namespace
}  // namespace rehearse
