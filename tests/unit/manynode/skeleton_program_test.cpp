// SPDX-License-Identifier: MIT
//
// Skeletons in simulated time: dates by formula, and collectives of known duration against their messages.
#include "manynode/skeleton_program.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "manynode/replica.hpp"
#include "simcore/collective_schedule.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/timeline.hpp"

namespace {

using namespace rehearse;
using namespace rehearse::manynode;

const std::uint32_t marker = number_of("m");

Expression expression(const char* text) { return Expression::parse(text, {4, false, nullptr}).value(); }

Skeleton with_law(Law::Variant law) {
  Skeleton skeleton;
  skeleton.name = "test";
  skeleton.clusters.push_back({"0", {}, {}, {}});
  skeleton.markers.push_back({"m", {std::make_shared<const Draws>(Draws(Law(std::move(law))))}});
  return skeleton;
}

Step step_of(decltype(Step::what) what) { return {std::move(what), "here"}; }

CollectiveStep collective(CollectiveKind kind, const char* bytes = "8") {
  CollectiveStep step;
  step.kind = kind;
  step.bytes = expression(bytes);
  return step;
}

struct Setting {
  std::string network = "constant";
  double delay = 0;
  bool is_alone = false;
  std::uint32_t replica = 0;
  Variability variability = Variability::full;
  std::string platform = {};
  Timeline* timeline = nullptr;
};

Result<ReplicaTimes> run(const Skeleton& skeleton, std::uint32_t ranks, const Setting& wanted = {}) {
  const Platform platform =
      std::move(make_platform(wanted.platform.empty() ? "cluster:" + std::to_string(ranks) : wanted.platform).value());
  const auto schedules = make_generic_schedules();
  ReplicaSetting setting;
  setting.skeleton = std::make_shared<const Skeleton>(skeleton);
  setting.run.ranks = ranks;
  setting.run.replica = wanted.replica;
  setting.run.variability = wanted.variability;
  setting.platform = &platform;
  setting.models.network = wanted.network;
  setting.models.delay_seconds = wanted.delay;
  setting.engine.combine_flops_per_byte = 0;
  setting.engine.collectives = schedules.get();
  setting.engine.timeline = wanted.timeline;
  CollectivesAlone alone(setting);
  return run_replica(setting, wanted.is_alone ? &alone : nullptr);
}

bool is_near(double value, double wanted) { return std::fabs(value - wanted) <= 1e-9 * std::fabs(wanted) + 1e-11; }

// The intervals of each rank follow each other.
class Intervals final : public Timeline {
 public:
  explicit Intervals(std::uint32_t ranks) : ends(ranks), computed(ranks) {}
  void on_operation(ActorId actor, const Operation& operation, TimePoint begin, TimePoint end) override {
    is_in_order &= begin == ends[actor.value] && end >= begin;
    ends[actor.value] = end;
    if (std::holds_alternative<Sleep>(operation)) computed[actor.value] = computed[actor.value] + (end - begin);
  }
  void on_computation(ActorId, TimePoint, TimePoint) override {}

  bool is_in_order = true;
  std::vector<TimePoint> ends;
  std::vector<Duration> computed;
};

// Iterations of a computation and a collective.
Skeleton bulk(Law::Variant law, CollectiveKind kind, double turns) {
  Skeleton skeleton = with_law(std::move(law));
  LoopStep loop;
  loop.count = Expression(turns);
  loop.body.push_back(step_of(ComputeStep{}));
  loop.body.push_back(step_of(collective(kind)));
  skeleton.body.push_back(step_of(std::move(loop)));
  return skeleton;
}

}  // namespace

TEST_CASE("skeleton: collectives of known duration have the dates of their messages where messages are free") {
  for (const CollectiveKind kind : {CollectiveKind::allreduce, CollectiveKind::barrier, CollectiveKind::allgather,
                                    CollectiveKind::alltoall, CollectiveKind::reduce_scatter_block})
    for (const std::uint32_t ranks : {1u, 2u, 7u, 16u}) {
      const Skeleton skeleton = bulk(ExponentialLaw{1e-3, 4e-3}, kind, 9);
      const auto known = run(skeleton, ranks, {.is_alone = true}), messages = run(skeleton, ranks, {});
      REQUIRE(known);
      REQUIRE(messages);
      CHECK(known.value().makespan == messages.value().makespan);
      CHECK(is_near(known.value().waiting_seconds, messages.value().waiting_seconds));
      CHECK(known.value().messages == 0);
      CHECK((messages.value().messages > 0) == (ranks > 1));
    }
}

TEST_CASE("skeleton: a collective alone takes the time of its messages if all ranks begin together") {
  for (const char* network : {"constant", "lv08"}) {
    const Skeleton skeleton = bulk(ConstantLaw{1e-3}, CollectiveKind::allreduce, 5);
    const Setting messages{network, 1e-4}, alone{network, 1e-4, true};
    CHECK(run(skeleton, 16, alone).value().makespan == run(skeleton, 16, messages).value().makespan);
  }
}

// Ranks run ahead of the date of the run until they need others. A timeline has the right dates all the same.
TEST_CASE("skeleton: a timeline changes no date") {
  constexpr std::uint32_t ranks = 6;
  Skeleton skeleton = with_law(ConstantLaw{1e-3});
  BranchStep twice;
  twice.condition = expression("r % 2");
  twice.body = {step_of(ComputeStep{}), step_of(ComputeStep{})};
  twice.otherwise = {step_of(ComputeStep{0, expression("2")})};
  MessageStep send, receive;
  send.peer = expression("0");
  send.bytes = expression("10000 * r");
  send.tag = expression("7");
  receive.is_send = false;
  LoopStep receives;
  receives.count = expression("P - 1");
  receives.body.push_back(step_of(receive));
  BranchStep incast;
  incast.condition = expression("r == 0");
  incast.body.push_back(step_of(std::move(receives)));
  incast.otherwise.push_back(step_of(send));
  LoopStep loop;
  loop.count = Expression(4);
  loop.body = {step_of(twice), step_of(incast), step_of(ComputeStep{}), step_of(collective(CollectiveKind::allreduce))};
  skeleton.body.push_back(step_of(std::move(loop)));
  for (const bool is_alone : {false, true})
    for (const char* network : {"constant", "lv08"}) {
      Intervals seen(ranks);
      const auto plain = run(skeleton, ranks, {.network = network, .delay = 1e-4, .is_alone = is_alone});
      const auto observed =
          run(skeleton, ranks, {.network = network, .delay = 1e-4, .is_alone = is_alone, .timeline = &seen});
      REQUIRE(plain);
      REQUIRE(observed);
      CHECK(observed.value().makespan == plain.value().makespan);
      CHECK(observed.value().waiting_seconds == plain.value().waiting_seconds);
      CHECK(observed.value().communication_seconds == plain.value().communication_seconds);
      CHECK(seen.is_in_order);
      CHECK(*std::ranges::max_element(seen.ends) == TimePoint{} + plain.value().makespan);
      for (const Duration computed : seen.computed) CHECK(computed == Duration::from_seconds(12e-3));
    }
}

TEST_CASE("skeleton: bulk-synchronous iterations take the slowest rank's time") {
  const Skeleton skeleton = bulk(ExponentialLaw{1e-3, 4e-3}, CollectiveKind::allreduce, 20);
  double wanted = 0;
  for (std::uint32_t turn = 0; turn < 20; ++turn) {
    double slowest = 0;
    for (std::uint32_t rank = 0; rank < 12; ++rank)
      slowest = std::max(slowest, Law(ExponentialLaw{1e-3, 4e-3}).quantile(uniform({1, 3, rank, marker, turn})));
    wanted += slowest;
  }
  CHECK(is_near(run(skeleton, 12, {.is_alone = true, .replica = 3}).value().makespan.seconds(), wanted));
  CHECK(is_near(run(skeleton, 12, {.variability = Variability::mean}).value().makespan.seconds(), 20 * 5e-3));
}

TEST_CASE("skeleton: a common draw is the same on all ranks") {
  Skeleton skeleton = bulk(ExponentialLaw{1e-3, 4e-3}, CollectiveKind::allreduce, 20);
  std::get<ComputeStep>(std::get<LoopStep>(skeleton.body[0].what).body[0].what).is_common = true;
  double wanted = 0;
  for (std::uint32_t turn = 0; turn < 20; ++turn)
    wanted += Law(ExponentialLaw{1e-3, 4e-3}).quantile(uniform({1, 0, DrawAddress::all_ranks, marker, turn}));
  CHECK(is_near(run(skeleton, 12, {.is_alone = true}).value().makespan.seconds(), wanted));
}

TEST_CASE("skeleton: neighbours wait for each other, and no further") {
  Skeleton skeleton = with_law(ExponentialLaw{1e-3, 4e-3});
  LoopStep loop;
  loop.count = Expression(15);
  loop.body.push_back(step_of(ComputeStep{}));
  NeighbourStep ring = parse_neighbours("ring").value();
  ring.bytes = Expression(8);
  loop.body.push_back(step_of(std::move(ring)));
  skeleton.body.push_back(step_of(std::move(loop)));
  constexpr std::uint32_t ranks = 10;
  std::vector<double> dates(ranks), next(ranks);
  for (std::uint32_t turn = 0; turn < 15; ++turn) {
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      dates[rank] += Law(ExponentialLaw{1e-3, 4e-3}).quantile(uniform({1, 0, rank, marker, turn}));
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      next[rank] = std::max({dates[rank], dates[(rank + 1) % ranks], dates[(rank + ranks - 1) % ranks]});
    dates = next;
  }
  const double wanted = *std::ranges::max_element(dates);
  CHECK(is_near(run(skeleton, ranks).value().makespan.seconds(), wanted));
  CHECK(is_near(run(skeleton, ranks, {.is_alone = true}).value().makespan.seconds(), wanted));
}

TEST_CASE("skeleton: messages, waits and branches") {
  Skeleton skeleton = with_law(ConstantLaw{1e-3});
  MessageStep send, receive;
  send.peer = expression("(r + 1) % P");
  send.bytes = receive.bytes = expression("1000 * (i0 + 1)");
  send.tag = receive.tag = expression("i0");
  send.is_blocking = receive.is_blocking = false;
  receive.is_send = false;
  receive.peer = expression("(r - 1) % P");
  BranchStep branch;
  branch.condition = expression("r == 0");
  branch.body.push_back(step_of(ComputeStep{}));
  LoopStep loop;
  loop.count = expression("3");
  loop.body.push_back(step_of(std::move(branch)));
  loop.body.push_back(step_of(receive));
  loop.body.push_back(step_of(send));
  loop.body.push_back(step_of(WaitStep{WaitStep::What::one, expression("1")}));
  loop.body.push_back(step_of(WaitStep{WaitStep::What::any, {}}));
  skeleton.body.push_back(step_of(std::move(loop)));
  const auto times = run(skeleton, 6, {.delay = 1e-3});
  REQUIRE(times);
  CHECK(times.value().messages == 18);
  // Rank 0 sends at 1, 2 and 3 ms, because the messages of rank 5 are there by then. Rank 1 has the last one at 4 ms.
  CHECK(is_near(times.value().makespan.seconds(), 4e-3));
}

TEST_CASE("skeleton: a communicator splits the ranks") {
  Skeleton skeleton = with_law(ExponentialLaw{1e-3, 4e-3});
  skeleton.communicators.push_back({"row", expression("floor(r / 4)"), expression("-r")});
  skeleton.body.push_back(step_of(ComputeStep{}));
  CollectiveStep step = collective(CollectiveKind::allreduce);
  step.communicator = 0;
  skeleton.body.push_back(step_of(step));
  CollectiveStep root = collective(CollectiveKind::broadcast, "64");
  root.communicator = 0;
  root.root = expression("3");
  skeleton.body.push_back(step_of(root));
  const auto times = run(skeleton, 8);
  REQUIRE(times);
  double wanted = 0;
  for (std::uint32_t rank = 0; rank < 8; ++rank)
    wanted = std::max(wanted, Law(ExponentialLaw{1e-3, 4e-3}).quantile(uniform({1, 0, rank, marker, 0})));
  CHECK(is_near(times.value().makespan.seconds(), wanted));
}

TEST_CASE("skeleton: faults have a place, a value and a rank") {
  Skeleton skeleton = with_law(ConstantLaw{1e-3});
  MessageStep send;
  send.peer = expression("r + 1");
  send.bytes = expression("8");
  send.tag = expression("0");
  skeleton.body.push_back(step_of(send));
  CHECK(run(skeleton, 4).error().text == "here: peer 'r + 1' is 4 on rank 3 of 4; accepted: 0 to 3");
  skeleton.body.clear();
  send.is_send = false;
  send.peer = expression("(r + 1) % P");
  skeleton.body.push_back(step_of(send));
  CHECK(run(skeleton, 4).error().text ==
        "deadlock: 4 of 4 ranks wait for messages that never come; the first one is rank 0 in recv at here");
  skeleton.body.clear();
  BranchStep branch;
  branch.condition = expression("r == 2");
  branch.body.push_back(step_of(collective(CollectiveKind::barrier, "0")));
  branch.otherwise.push_back(step_of(collective(CollectiveKind::allreduce, "8")));
  skeleton.body.push_back(step_of(std::move(branch)));
  CHECK(run(skeleton, 4, {.is_alone = true})
            .error()
            .text.find("rank 2 calls barrier with 0 bytes where rank 0 calls "
                       "allreduce with 8 bytes") != std::string::npos);
}

TEST_CASE("skeleton: ranks that share cores compute more slowly") {
  Skeleton skeleton = with_law(ConstantLaw{1e-3});
  skeleton.body.push_back(step_of(ComputeStep{}));
  // cluster:1 has 8 cores.
  CHECK(is_near(run(skeleton, 8, {.platform = "cluster:1"}).value().makespan.seconds(), 1e-3));
  CHECK(is_near(run(skeleton, 16, {.platform = "cluster:1"}).value().makespan.seconds(), 2e-3));
}

TEST_CASE("skeleton: the period of modes repeats, behind its prefix") {
  std::vector<DrawMode> modes;
  for (const double seconds : {1e-3, 2e-3, 5e-3}) modes.push_back({1.0 / 3, Law(ConstantLaw{seconds}), {}});
  Draws draws(modes);
  draws.order = ModeOrder::Kind::period;
  draws.prefix = {2};
  draws.period = {0, 1};
  Skeleton skeleton = with_law(ConstantLaw{0});
  skeleton.markers[0].of_cluster[0] = std::make_shared<const Draws>(draws);
  LoopStep loop;
  loop.count = Expression(5);
  loop.body.push_back(step_of(ComputeStep{}));
  skeleton.body.push_back(step_of(std::move(loop)));
  CHECK(is_near(run(skeleton, 3).value().makespan.seconds(), 5e-3 + 1e-3 + 2e-3 + 1e-3 + 2e-3));
  CHECK(is_near(run(skeleton, 3, {.variability = Variability::mean}).value().makespan.seconds(), 5 * 8e-3 / 3));
}

TEST_CASE("skeleton: factors of a number of ranks are balanced") {
  CHECK(balanced_factors(64, 3) == std::vector<std::uint32_t>{4, 4, 4});
  CHECK(balanced_factors(12, 2) == std::vector<std::uint32_t>{4, 3});
  CHECK(balanced_factors(7, 2) == std::vector<std::uint32_t>{7, 1});
  CHECK(balanced_factors(1, 2) == std::vector<std::uint32_t>{1, 1});
}
