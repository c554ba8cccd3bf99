// SPDX-License-Identifier: MIT
//
// Observers of a cost model change no date by a picosecond: the same activities on the same platform, with observers of
// speeds, of loads and of both, and of uses, in all network models of flows. The uses add up to the loads.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "simcore/energy.hpp"
#include "simcore/use_recorder.hpp"

#include "tests/support/cost_runs.hpp"

namespace cost_observed_test {

using namespace rehearse;
using namespace rehearse::testing;

namespace {

constexpr std::uint32_t hosts = 6;

// Each host has a link of its own; all routes cross a backbone. The backbone, and the links of some hosts, are
// fatpipes. Speeds and bandwidths change.
Platform random_platform(unsigned seed) {
  std::mt19937 random(seed);
  const auto number = [&](std::uint32_t low, std::uint32_t high) {
    return std::to_string(low + random() % (high - low + 1));
  };
  std::string text = "<link id='backbone' bandwidth='" + number(20, 200) + "MBps' latency='10us' sharing_policy='" +
                     (random() % 2 ? "FATPIPE" : "SHARED") + "'/>";
  for (std::uint32_t i = 0; i < hosts; ++i) {
    const std::string name = std::to_string(i);
    text += "<host id='h" + name + "' speed='" + number(1, 9) + "Gf' core='" + number(1, 2) + "'/>";
    text += "<link id='l" + name + "' bandwidth='" + number(10, 120) + "MBps' latency='" + number(1, 50) +
            "us' sharing_policy='" + (random() % 4 ? "SHARED" : "FATPIPE") + "'/>";
  }
  for (std::uint32_t a = 0; a < hosts; ++a)
    for (std::uint32_t b = a + 1; b < hosts; ++b)
      text += "<route src='h" + std::to_string(a) + "' dst='h" + std::to_string(b) + "'><link_ctn id='l" +
              std::to_string(a) + "'/><link_ctn id='backbone'/><link_ctn id='l" + std::to_string(b) + "'/></route>";
  if (seed % 2 == 0)
    text += "<trace id='bandwidth' periodicity='0.02'>\n0.003 15e6\n0.008 33e6\n0.011 80e6\n</trace>"
            "<trace id='latency' periodicity='0.05'>\n0.004 1e-5\n0.031 3e-4\n</trace>"
            "<trace id='speed' periodicity='0.03'>\n0.002 0.5\n0.017 1\n</trace>"
            "<trace_connect kind='BANDWIDTH' trace='bandwidth' element='l1'/>"
            "<trace_connect kind='BANDWIDTH' trace='bandwidth' element='backbone'/>"
            "<trace_connect kind='LATENCY' trace='latency' element='l2'/>"
            "<trace_connect kind='SPEED' trace='speed' element='h0'/>";
  return platform_of(text);
}

struct Job {
  double start = 0;
  Transfer transfer;
  double flops = 0;      // greater than 0: a computation on the transfer's source
  bool is_task = false;  // a parallel task on all hosts, with the flops on each and the transfer's bytes to the next
};

// Some start together: waves of equal transfers, incasts, and single ones.
std::vector<Job> random_jobs(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  std::vector<Job> jobs;
  for (int group = 0; group < 25; ++group) {
    const double start = below(3) ? 1e-4 * below(500) : 1e-2 * below(5);
    const double bytes = below(3) ? 1 + below(300000) : 65536;
    const std::uint32_t root = below(hosts), what = below(5);
    for (std::uint32_t i = 0; i < hosts; ++i) {
      Job job;
      job.start = start;
      job.transfer = {HostId{i}, HostId{what == 0 ? root : (i + 1 + root) % hosts},
                      what == 1 ? 1.0 * below(90000) : bytes};
      if (what == 2) job.flops = 1e5 * below(100);
      job.is_task = what == 4 && i == 0;
      job.transfer.category = static_cast<Category>(group % 4);
      if (what == 4 && i == 1) break;
      if (below(6) == 0) job.transfer.rate = 1e6 * (1 + below(30));
      if (what == 3 && i != root) continue;
      jobs.push_back(job);
    }
  }
  std::ranges::stable_sort(jobs, {}, &Job::start);
  return jobs;
}

Computation computation_of(const Job& job) {
  Computation computation{job.transfer.source, job.flops};
  computation.category = job.transfer.category;
  return computation;
}

ActivityId start_task(CostModel& costs, const Job& job, TimePoint now) {
  std::vector<HostId> all;
  std::vector<double> bytes(std::size_t{hosts} * hosts);
  for (std::uint32_t i = 0; i < hosts; ++i) {
    all.push_back({i});
    bytes[std::size_t{i} * hosts + (i + 1) % hosts] = job.transfer.bytes;
  }
  const std::vector<double> flops(hosts, 1e6);
  const auto id = costs.start(ParallelTask{all, flops, bytes, unlimited, job.transfer.category}, now);
  REQUIRE(id.has_value());
  return *id;
}

// Records the uses of a run, and meters its loads.
struct Metered {
  UseTable uses;
  std::vector<double> flops, bytes;  // by host and link
};

// Of each job, in picoseconds.
std::vector<std::int64_t> ends_of(const Platform& platform, const std::vector<Job>& jobs, const ModelOptions& options,
                                  std::vector<ObserverNeeds> needs, Metered* metered = nullptr,
                                  bool meters_loads = true) {
  const auto costs = costs_of(platform, options);
  UseRecorder uses(platform);
  if (metered != nullptr) REQUIRE(costs->observe_uses(uses));
  std::optional<HostLoadMeter> host_loads;
  std::optional<LinkLoadMeter> link_loads;
  if (metered != nullptr && meters_loads) {
    host_loads.emplace(platform, *costs);
    link_loads.emplace(platform, *costs);
  }
  std::vector<ResourceObserver> observers(needs.size());
  for (std::size_t i = 0; i < needs.size(); ++i) costs->observe(observers[i], needs[i]);
  std::vector<std::int64_t> ends(jobs.size(), -1);
  std::map<std::uint32_t, std::size_t> job_of;
  std::vector<Ended> ended;
  const auto advance = [&](TimePoint date) {
    ended.clear();
    costs->advance(date, ended);
    for (const Ended& end : ended) ends[job_of.at(end.activity.value)] = date.picoseconds;
  };
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[i];
    const TimePoint start = at(job.start);
    while (costs->next_date() <= start) advance(costs->next_date());
    advance(start);
    if (job.is_task) job_of[start_task(*costs, job, start).value] = i;
    else if (job.flops > 0) job_of[costs->start(computation_of(job), start).value] = i;
    else if (const auto id = costs->start(job.transfer, start)) job_of[id->value] = i;
  }
  TimePoint last;
  while (costs->is_busy()) advance(last = costs->next_date());
  if (metered == nullptr) return ends;
  costs->report_uses(last);
  CategoryNames categories;
  for (const char* name : {"a", "b", "c"}) categories.number(name);
  metered->uses = uses.finish(last, categories);
  for (std::uint32_t i = 0; host_loads && i < platform.hosts().size(); ++i)
    metered->flops.push_back(host_loads->flops({i}, last));
  for (std::uint32_t i = 0; link_loads && i < platform.links().size(); ++i)
    metered->bytes.push_back(link_loads->bytes({i}, last));
  return ends;
}

}  // namespace

TEST_CASE("costs: observers of loads and speeds change no date by a picosecond", "[simcore][costs]") {
  const std::vector<std::string> networks = {"lv08", "smpi", "cm02", "raw", "mpi", "loggps", "constant", "ptask"};
  const std::vector<std::vector<ObserverNeeds>> watches = {{{.speeds = false, .loads = true}},
                                                           {{.speeds = true, .loads = false}},
                                                           {{.speeds = true, .loads = true}, {}}};
  for (unsigned seed = 0; seed < 120; ++seed) {
    const Platform platform = random_platform(seed);
    const std::vector<Job> jobs = random_jobs(seed);
    ModelOptions options{.network = networks[seed % networks.size()], .delay_seconds = 1e-4};
    options.simgrid_quirks = seed % 8 < 4 && seed % 5 == 0;
    options.changes.has_contention = seed % 7 != 0;
    INFO("seed " << seed << ", network " << options.network);
    const std::vector<std::int64_t> wanted = ends_of(platform, jobs, options, {});
    for (const std::vector<ObserverNeeds>& needs : watches) CHECK(ends_of(platform, jobs, options, needs) == wanted);
  }
}

TEST_CASE("costs: an observer of uses changes no date, and the uses add up to the loads", "[simcore][costs][use]") {
  const std::vector<std::string> networks = {"lv08", "smpi", "cm02", "raw", "mpi", "loggps", "constant", "ptask"};
  const auto totals_of = [](const std::vector<UseRow>& rows, std::size_t count) {
    std::vector<double> totals(count, 0);
    for (const UseRow& row : rows) totals[row.subject] += row.total();
    return totals;
  };
  // Loads hold between dates, which are rounded to picoseconds: each job can be off by one, at the full rate.
  const auto is_close = [](double amount, double load, double rate, std::size_t jobs) {
    return std::abs(amount - load) <= 1e-12 * rate * static_cast<double>(jobs) + 1e-9 * load;
  };
  std::size_t rows = 0;
  for (unsigned seed = 0; seed < 120; ++seed) {
    const Platform platform = random_platform(seed);
    const std::vector<Job> jobs = random_jobs(seed);
    ModelOptions options{.network = networks[seed % networks.size()], .delay_seconds = 1e-4};
    options.changes.has_contention = seed % 7 != 0;
    INFO("seed " << seed << ", network " << options.network);
    const std::vector<std::int64_t> wanted = ends_of(platform, jobs, options, {});
    Metered metered, alone;
    CHECK(ends_of(platform, jobs, options, {}, &metered) == wanted);
    CHECK(ends_of(platform, jobs, options, {}, &alone, false) == wanted);
    const UseTable& uses = metered.uses;
    const std::vector<double> flops = totals_of(uses.hosts, platform.hosts().size());
    const std::vector<double> bytes = totals_of(uses.links, platform.links().size());
    for (std::size_t i = 0; i < flops.size(); ++i) CHECK(is_close(flops[i], metered.flops[i], 18e9, jobs.size()));
    for (std::size_t i = 0; i < bytes.size(); ++i)
      CHECK(is_close(bytes[i], metered.bytes[i], platform.links()[i].bytes_per_second, jobs.size()));
    CHECK(uses.slices > UseRecorder::slices_max / 2);
    CHECK(uses.slices <= UseRecorder::slices_max);
    CHECK(uses.slice.picoseconds * uses.slices >= uses.end.picoseconds);
    REQUIRE(alone.uses.links.size() == uses.links.size());
    for (std::size_t i = 0; i < uses.links.size(); ++i) CHECK(alone.uses.links[i].total() == uses.links[i].total());
    rows += uses.links.size() + uses.hosts.size();
  }
  CHECK(rows > 2000);
}

}  // namespace cost_observed_test
