// SPDX-License-Identifier: MIT
//
// Efficiencies of traces whose dates are computed by hand: cores of 10 Gflop/s, and each message takes a second.
#include "app/trace_efficiency.hpp"

#include <catch2/catch.hpp>

#include "app/trace_caveats.hpp"
#include "tests/support/temporary_file.hpp"

using namespace rehearse;
using namespace rehearse::app;
using rehearse::testing::TemporaryFile;

namespace {

// Rank 0 computes 3 s and sends; rank 1 computes 1 s and receives at 4 s.
constexpr const char* late_message = "0 compute 3e10\n0 send 1 0 1000\n1 compute 1e10\n1 recv 0 0 1000\n";

EfficiencyRequest efficiency_request(const TemporaryFile& file, const std::string& delay = "1") {
  EfficiencyRequest request;
  request.replay.file = file.path();
  request.replay.machine.models.values = {{"network", "constant"}, {"delay", delay}};
  return request;
}

TraceEfficiency measured(const EfficiencyRequest& request) {
  auto result = measure_efficiency(request);
  if (!result) FAIL(result.error().text);
  return std::move(result.value());
}

constexpr double exact = 1e-12;
bool is_same(double one, double other) { return std::abs(one - other) <= exact; }

}  // namespace

TEST_CASE("efficiency: the metrics of a late message", "[app][trace]") {
  const TemporaryFile file(late_message);
  const TraceEfficiency efficiency = measured(efficiency_request(file));
  CHECK(efficiency.work.seconds == 4);
  CHECK(efficiency.ideal_seconds == 3);
  CHECK(is_same(*efficiency.metrics.load_balance, 2.0 / 3));
  CHECK(is_same(*efficiency.metrics.serialisation, 1));
  CHECK(is_same(*efficiency.metrics.transfer, 0.75));
  CHECK(is_same(*efficiency.metrics.communication, 0.75));
  CHECK(is_same(*efficiency.metrics.parallel, 0.5));
  CHECK(efficiency.work.ranks[0].compute_seconds == 3);
  CHECK(efficiency.work.ranks[1].flops == 1e10);
  CHECK(efficiency.ladder.empty());
  CHECK(efficiency.caveats.empty());
}

TEST_CASE("efficiency: ranks in turn lose by serialisation", "[app][trace]") {
  const TemporaryFile file("0 compute 1e10\n0 send 1 0 8\n1 recv 0 0 8\n1 compute 1e10\n1 send 2 0 8\n2 recv 1 0 8\n"
                           "2 compute 1e10\n");
  const TraceEfficiency efficiency = measured(efficiency_request(file));
  CHECK(efficiency.work.seconds == 5);
  CHECK(efficiency.ideal_seconds == 3);
  CHECK(is_same(*efficiency.metrics.load_balance, 1));
  CHECK(is_same(*efficiency.metrics.serialisation, 1.0 / 3));
  CHECK(is_same(*efficiency.metrics.transfer, 0.6));
  CHECK(is_same(*efficiency.metrics.parallel, 0.2));
}

TEST_CASE("efficiency: products hold on a network with contention", "[app][trace]") {
  std::string text;
  for (int rank = 0; rank < 6; ++rank)
    for (int step = 0; step < 5; ++step) {
      const std::string name = std::to_string(rank);
      text += name + " compute " + std::to_string(1000000 * (1 + (rank * 7 + step * 3) % 5)) + "\n";
      text += name + " sendRecv 30000 " + std::to_string((rank + 1) % 6) + " 30000 " + std::to_string((rank + 5) % 6) +
              "\n" + name + " allreduce 1000 500\n";
    }
  const TemporaryFile file(text);
  EfficiencyRequest request;
  request.replay.file = file.path();
  const TraceEfficiency efficiency = measured(request);
  const EfficiencyMetrics& metrics = efficiency.metrics;
  CHECK(is_same(*metrics.communication, *metrics.serialisation * *metrics.transfer));
  CHECK(is_same(*metrics.parallel, *metrics.load_balance * *metrics.communication));
  CHECK(*metrics.parallel < 0.9);
  CHECK(*metrics.transfer < 1);
}

TEST_CASE("efficiency: without computation there is no balance", "[app][trace]") {
  const TemporaryFile file("0 send 1 0 8\n1 recv 0 0 8\n");
  const TraceEfficiency efficiency = measured(efficiency_request(file));
  CHECK_FALSE(efficiency.metrics.load_balance);
  CHECK_FALSE(efficiency.metrics.serialisation);  // the ideal run takes no time
  CHECK(*efficiency.metrics.transfer == 0);
  CHECK(*efficiency.metrics.parallel == 0);
}

TEST_CASE("efficiency: the ladder changes one thing at a time", "[app][trace]") {
  const TemporaryFile file(late_message);
  EfficiencyRequest request = efficiency_request(file);
  request.has_ladder = true;
  const TraceEfficiency efficiency = measured(request);
  std::vector<double> seconds;
  for (const LadderStep& step : efficiency.ladder) seconds.push_back(step.seconds);
  // As recorded; no latency; infinite bandwidth; no contention; no overheads; ideal; equal computation; both.
  CHECK(seconds == std::vector<double>{4, 3, 4, 4, 4, 3, 3, 2});
}

TEST_CASE("efficiency: the ladder removes the costs of messages alone", "[app][trace]") {
  const TemporaryFile file(late_message);
  EfficiencyRequest request = efficiency_request(file);
  request.has_ladder = true;
  request.replay.machine.protocol.costs.send = parse_size_cost("0:0.5:0").value();
  request.replay.machine.protocol.costs.receive = parse_size_cost("0:0.25:0").value();
  const TraceEfficiency efficiency = measured(request);
  CHECK(efficiency.ladder[0].seconds == 4.75);
  CHECK(efficiency.ladder[1].seconds == 3.75);
  CHECK(efficiency.ladder[4].seconds == 4);
  CHECK(efficiency.ladder[5].seconds == 3);
}

TEST_CASE("efficiency: scaling compares volumes and rates", "[app][trace]") {
  const TemporaryFile file(late_message);
  const TemporaryFile smaller("0 compute 2e10\n");
  EfficiencyRequest request = efficiency_request(file);
  request.reference = smaller.path();
  const ScalingMetrics strong = *measured(request).scaling;
  CHECK(strong.seconds == 2);
  CHECK(is_same(*strong.computation, 0.5));
  CHECK(is_same(*strong.volume, 0.5));
  CHECK(is_same(*strong.rate, 1));
  CHECK(is_same(*strong.global, 0.25));
  request.scaling = Scaling::weak;
  CHECK(is_same(*measured(request).scaling->computation, 1));
}

TEST_CASE("efficiency: rates differ where ranks share cores", "[app][trace]") {
  std::string text;  // on 8 cores
  for (int rank = 0; rank < 16; ++rank) text += std::to_string(rank) + " compute 1e10\n";
  const TemporaryFile file(text);
  const TemporaryFile smaller("0 compute 16e10\n");
  EfficiencyRequest request = efficiency_request(file);
  request.replay.machine.on = "cluster:1";
  request.reference = smaller.path();
  const TraceEfficiency efficiency = measured(request);
  CHECK(efficiency.work.seconds == 2);
  CHECK(is_same(*efficiency.scaling->volume, 1));
  CHECK(is_same(*efficiency.scaling->rate, 0.5));
  CHECK(is_same(*efficiency.scaling->computation, 0.5));
  REQUIRE(efficiency.caveats.size() == 2);
  CHECK(efficiency.caveats[0].starts_with("computation takes 100.0 % of the time"));
  CHECK(efficiency.caveats[1].starts_with("16 ranks share the cores of 1 host"));
}

TEST_CASE("efficiency: a trace that cannot end has none", "[app][trace]") {
  const TemporaryFile file("0 recv 1 0 8\n1 recv 0 0 8\n");
  const TraceEfficiency efficiency = measured(efficiency_request(file));
  CHECK_FALSE(efficiency.is_complete());
  CHECK_FALSE(efficiency.metrics.parallel);
  CHECK_FALSE(efficiency.replay.run.findings.empty());
}
