// SPDX-License-Identifier: MIT
//
// What must hold on every platform and for every workload, whatever the numbers are: on random graphs, with random
// transfers, in all models that share links.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "simcore/platform_generator.hpp"
#include "simcore/platform_text.hpp"
#include "tests/support/cost_runs.hpp"

using namespace rehearse;
using namespace rehearse::testing;

namespace {

struct Job {
  double start = 0;
  Transfer transfer;
};

Platform random_platform(std::uint64_t seed) {
  GeneratorOptions options;
  options.kind = seed % 2 == 0 ? GeneratorOptions::Kind::waxman : GeneratorOptions::Kind::barabasi_albert;
  options.nodes = 12;
  options.seed = seed;
  options.promoters = {parse_promoter("cluster:4-:0.3").value(), parse_promoter("host:0-:0.8").value(),
                       parse_promoter("host:0-1:1").value()};
  options.cluster_hosts = {2, 4};
  options.bandwidth = {1e6, 1e8};
  options.latency = {1e-4, 1e-2};
  auto text = generate_platform(options);
  if (!text) FAIL(text.error().text);
  auto platform = platform_from_text("random.xml", text.value(), {});
  if (!platform) FAIL(platform.error().text);
  return std::move(platform.value());
}

std::vector<Job> random_jobs(std::uint64_t seed, const Platform& platform, std::size_t count) {
  std::mt19937_64 random(seed);
  std::vector<Job> jobs(count);
  for (Job& job : jobs) {
    const auto host = [&] { return HostId{static_cast<std::uint32_t>(random() % platform.hosts().size())}; };
    job.start = random() % 3 == 0 ? 0 : static_cast<double>(random() % 1000) / 1000;
    job.transfer = {host(), host(), 1e3 + static_cast<double>(random() % 5'000'000)};
    if (random() % 5 == 0) job.transfer.rate = 1e5 + static_cast<double>(random() % 1'000'000);
  }
  return jobs;
}

// The end of each job, in seconds; all links so many times slower than described.
std::vector<double> ends_of(const Platform& platform, const std::vector<Job>& jobs, const std::string& network,
                            ResourceObserver* observer = nullptr, double slower = 1) {
  const auto costs = costs_of(platform, network);
  for (std::uint32_t i = 0; slower != 1 && i < platform.links().size(); ++i) {
    costs->set_bandwidth({i}, platform.links()[i].bytes_per_second / slower, TimePoint{});
    costs->set_latency({i}, platform.links()[i].latency_seconds * slower, TimePoint{});
  }
  if (observer != nullptr) costs->observe(*observer, {.speeds = false, .loads = true});
  std::vector<std::size_t> order(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return jobs[a].start < jobs[b].start; });
  std::vector<double> ends(jobs.size(), -1);
  std::map<std::uint32_t, std::size_t> job_of;
  std::vector<Ended> ended;
  const auto advance = [&](TimePoint date) {
    ended.clear();
    costs->advance(date, ended);
    for (const Ended& end : ended) ends[job_of.at(end.activity.value)] = date.seconds();
  };
  for (const std::size_t i : order) {
    while (costs->next_date() < at(jobs[i].start)) advance(costs->next_date());
    advance(at(jobs[i].start));
    if (const auto id = costs->start(jobs[i].transfer, at(jobs[i].start))) job_of[id->value] = i;
  }
  while (costs->is_busy()) advance(costs->next_date());
  return ends;
}

struct WatchesCapacity : ResourceObserver {
  explicit WatchesCapacity(const Platform& watched) : platform(watched) {}
  void on_link_load(LinkId link, double load, TimePoint) override {
    const Link& it = platform.link(link);
    ++loads;
    if (it.sharing == LinkSharing::shared) highest = std::max(highest, load / it.bytes_per_second);
  }
  const Platform& platform;
  double highest = 0;
  std::uint64_t loads = 0;
};

const std::vector<std::string> networks = {"lv08", "smpi", "cm02", "raw"};

}  // namespace

TEST_CASE("costs: no link of a random platform ever carries more than its capacity", "[simcore][costs]") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Platform platform = random_platform(seed);
    WatchesCapacity watch(platform);
    (void)ends_of(platform, random_jobs(seed, platform, 40), networks[seed % networks.size()], &watch);
    INFO("seed " << seed);
    CHECK(watch.loads > 0);
    CHECK(watch.highest <= 1 + 1e-9);
    CHECK(watch.highest > 0.5);  // otherwise nothing was shared and the test says nothing
  }
}

TEST_CASE("costs: the order of requests at one date does not matter", "[simcore][costs]") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Platform platform = random_platform(seed);
    std::vector<Job> jobs = random_jobs(seed, platform, 25);
    for (Job& job : jobs) job.start = 0;
    const std::string network = networks[seed % networks.size()];
    const std::vector<double> ends = ends_of(platform, jobs, network);
    std::reverse(jobs.begin(), jobs.end());
    std::vector<double> again = ends_of(platform, jobs, network);
    std::reverse(again.begin(), again.end());
    INFO("seed " << seed);
    for (std::size_t i = 0; i < ends.size(); ++i) CHECK(is_close(again[i], ends[i]));
  }
}

TEST_CASE("costs: a computation on some host changes no transfer, and transfers change no computation",
          "[simcore][costs]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Platform platform = random_platform(seed);
    const std::vector<Job> jobs = random_jobs(seed, platform, 25);
    const auto costs = costs_of(platform, "lv08");
    std::map<std::uint32_t, double> alone, together;
    for (const Job& job : jobs) (void)costs->start(job.transfer, TimePoint{});
    alone = run(*costs);
    const auto more = costs_of(platform, "lv08");
    for (const Job& job : jobs) (void)more->start(job.transfer, TimePoint{});
    const ActivityId computation = more->start(Computation{HostId{0}, 0.37e9}, TimePoint{});
    together = run(*more);
    CHECK(together.at(computation.value) == Approx(0.37).margin(1e-12));
    together.erase(computation.value);
    CHECK(together == alone);  // to the last bit
  }
}

TEST_CASE("costs: on resources of half the speed, everything ends twice as late", "[simcore][costs]") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Platform platform = random_platform(seed);
    std::vector<Job> jobs = random_jobs(seed, platform, 25);
    const std::string network = networks[seed % networks.size()];
    const std::vector<double> ends = ends_of(platform, jobs, network);
    for (Job& job : jobs) {
      job.start *= 2;
      job.transfer.rate /= 2;
    }
    const std::vector<double> later = ends_of(platform, jobs, network, nullptr, 2);
    INFO("seed " << seed << " " << network);
    for (std::size_t i = 0; i < ends.size(); ++i) CHECK(later[i] == Approx(2 * ends[i]).epsilon(1e-7));
  }
}
