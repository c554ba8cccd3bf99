// SPDX-License-Identifier: MIT
//
// Comparing the types of a large message: what its sender and its receiver work out.
#include <benchmark/benchmark.h>

#include "smpi/datatype/construct.hpp"
#include "smpi/datatype/table.hpp"

namespace rehearse::smpi {
namespace {

// 2^27 structures of an int and a double, with gaps in them and between them; the receive has room for more.
void signature_of_gigabyte(benchmark::State& state) {
  const Block parts[] = {{1, 0, predefined_datatype(MPI_INT)}, {1, 8, predefined_datatype(MPI_DOUBLE)}};
  const auto structure = make_hindexed(parts, {});
  const auto sent = make_vector({1 << 27, 1, 2}, *structure, {});
  const auto taken = make_vector({1 << 26, 1, 3}, *structure, {});
  for (auto _ : state) {
    const bool is_same = signature_of(*sent, 1) == signature_of_bytes(*taken, sent->size());
    benchmark::DoNotOptimize(is_same);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(signature_of_gigabyte);

}  // namespace
}  // namespace rehearse::smpi
