// SPDX-License-Identifier: MIT
//
// Tests of the comparison of network models: judge, nearest model, calls that differ, and causes.
#include <catch2/catch.hpp>

#include "app/model_comparison.hpp"

namespace rehearse::app {
namespace {

ModelRun made_run(const std::string& label, double seconds, double in_alltoall, double in_barrier) {
  ModelRun run;
  run.label = run.network = label;
  run.ranks = 4;
  run.simulated_seconds = seconds;
  run.calls = {{"MPI_Alltoall", "a.c:1 in main", true, 4, in_alltoall},
               {"MPI_Send", "a.c:2 in main", false, 8, in_barrier}};
  run.phases = {{"MPI_Alltoall at a.c:1 in main", 1, seconds}};
  run.links = {{"cable", 1000, 0.5}};
  return run;
}

ModelRun with_packets(ModelRun run) {
  run.has_packets = true;
  return run;
}

}  // namespace

TEST_CASE("model comparison: the nearest model of flows is judged by packets") {
  const ModelComparison comparison = compare({made_run("cm02", 0.5, 1, 0.1), made_run("lv08", 0.98, 3.8, 0.1),
                                              with_packets(made_run("packet", 1, 3.9, 0.1))},
                                             0.1);
  REQUIRE(comparison.has_answer());
  CHECK(comparison.runs[comparison.judge].label == "packet");
  CHECK(comparison.runs[comparison.nearest].label == "lv08");
  CHECK_FALSE(comparison.needs_packets);
  CHECK(comparison.answer == "no: lv08 takes 2 % less time than packet, and no call differs by more than 10 %");
  CHECK(comparison.causes.empty());
}

TEST_CASE("model comparison: a call that differs needs packets, although the times agree") {
  const ModelComparison comparison =
      compare({made_run("lv08", 1, 3, 0.9), with_packets(made_run("packet", 1, 3.9, 0.1))}, 0.1);
  CHECK(comparison.needs_packets);
  CHECK(comparison.answer == "yes: lv08 takes 0 % more time than packet; 1 collective and 1 other call differ by more "
                             "than 10 %: MPI_Alltoall at a.c:1 in main and MPI_Send at a.c:2 in main");
  REQUIRE(comparison.calls.size() == 2);
  CHECK(comparison.calls[0].name == "MPI_Alltoall");
  CHECK(comparison.calls[0].differs);
}

TEST_CASE("model comparison: differences below one per cent of all time do not count") {
  const ModelComparison comparison =
      compare({made_run("lv08", 1, 3, 0.01), with_packets(made_run("packet", 1, 3, 0.04))}, 0.1);
  CHECK_FALSE(comparison.needs_packets);
}

TEST_CASE("model comparison: overflowing queues, losses and timeouts are causes") {
  ModelRun packets = with_packets(made_run("packet", 2, 7, 0.1));
  packets.timeouts = 3;
  packets.links = {{"up", 1000, 0.5}, {"down", 1000, 0.1, 17, 0, 0, 0, 65536}, {"far", 10, 0.1, 3, 2, 0, 0, 100}};
  const ModelComparison comparison = compare({made_run("lv08", 1, 3, 0.1), packets}, 0.1);
  REQUIRE(comparison.causes.size() == 3);
  CHECK(comparison.causes[0] ==
        "queues overflow: 20 packets are dropped on 2 links, 17 of them at down (longest queue: 65,536 bytes)");
  CHECK(comparison.causes[1] == "links lose packets: 2 packets on 1 link, 2 of them on far");
  CHECK(comparison.causes[2] == "connections wait for their timers: 3 timeouts, each of min_rto (default 200 ms) or "
                                "more");
  CHECK(comparison.links[0].name == "down");
}

TEST_CASE("model comparison: times that differ by more than a factor of two are a factor") {
  const ModelRun short_run = made_run("lv08", 0.5, 2, 0), long_run = made_run("lv08", 8, 2, 0);
  const ModelRun packets = with_packets(made_run("packet", 2, 2, 0));
  CHECK(compare({short_run, packets}, 0.1).answer == "yes: packet takes 4 times as long as lv08");
  CHECK(compare({long_run, packets}, 0.1).answer == "yes: lv08 takes 4 times as long as packet");
}

TEST_CASE("model comparison: a model without a result takes no part, and without packets there is no answer") {
  ModelRun refused;
  refused.label = "constant";
  refused.problem = "refused";
  const ModelComparison comparison = compare({refused, made_run("lv08", 1, 3, 0.1), made_run("cm02", 2, 5, 0.1)}, 0.1);
  CHECK_FALSE(comparison.has_answer());
  REQUIRE(comparison.calls[0].values.size() == 3);
  CHECK(comparison.calls[0].values[0] < 0);
  CHECK(comparison.calls[0].gap == Approx(2));
}

TEST_CASE("model comparison: a run keeps its values on the way through JSON") {
  ModelRun run = with_packets(made_run("packet", 1, 2, 3));
  run.timeouts = 7;
  run.finding = "request.leak: rank 0";
  run.links[0].drops = 9;
  CHECK(to_json(model_run_from(to_json(run))) == to_json(run));
}

TEST_CASE("model comparison: choices are models, with keys of packets") {
  const auto choices = parse_model_choices("LV08,packet:queue=64KiB+congestion=dctcp");
  REQUIRE(choices);
  REQUIRE(choices.value().size() == 2);
  CHECK(choices.value()[0].network == "lv08");
  CHECK(choices.value()[1].label == "packet:queue=64KiB+congestion=dctcp");
  CHECK(choices.value()[1].packet_keys == "queue=64KiB,congestion=dctcp");
  for (const char* bad : {"", "lv09", "lv08,,packet", "lv08,lv08", "packet:queue"})
    CHECK_FALSE(parse_model_choices(bad));
}

}  // namespace rehearse::app
