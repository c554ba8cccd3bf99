// SPDX-License-Identifier: MIT
//
// Properties of networks of packets, on random topologies where the property holds for all of them.
#include "simcore/packet/network.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <string>

#include "simcore/support/random.hpp"

namespace network_test {

using namespace rehearse;
using namespace rehearse::packet;

namespace {

struct TestFlow {
  double start = 0;
  std::uint64_t bytes = 0;
  std::vector<std::uint32_t> forward, back;
};

Parameters keys(const std::string& text) {
  auto parsed = parse_parameters(text);
  if (!parsed) FAIL(parsed.error().text);
  return parsed.value();
}

// A network, its flows, and their ends; -1: failed or not ended.
struct Run {
  explicit Run(const std::string& text) : network(keys(text)) {}

  std::uint32_t add_link(double bytes_per_second, double latency) {
    const auto index = network.fabric().link_count();
    return network.fabric().add({index, bytes_per_second, latency, true, {}});
  }
  void add_flow(TestFlow flow) { flows.push_back(std::move(flow)); }

  // Calls check() after each date with an event if it is set.
  void run(const std::function<void()>& check = {}) {
    std::vector<std::size_t> order(flows.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return flows[i].start; });
    ends.assign(flows.size(), -1);
    totals.resize(flows.size());
    for (const std::size_t i : order) {
      const auto start = static_cast<Picoseconds>(flows[i].start * 1e12 + 0.5);
      go_on(start, check);
      const std::uint32_t connection = network.ends().open(flows[i].forward, flows[i].back, false);
      network.ends().send(connection, flows[i].bytes, static_cast<std::uint32_t>(i), start);
    }
    go_on(no_date - 1, check);
  }

  void go_on(Picoseconds limit, const std::function<void()>& check) {
    while (true) {
      const Picoseconds next = network.next_date();
      if (next > limit || next == no_date) return;
      const Picoseconds date = network.run_until(check ? next : limit);
      for (const Completion& completion : network.ends().completions()) {
        if (!completion.has_failed) ends[completion.activity] = static_cast<double>(date) * 1e-12;
        totals[completion.activity] = network.ends()[completion.connection].totals;
      }
      network.ends().completions().clear();
      for (const std::uint32_t connection : network.ends().retired()) network.ends().recycle(connection);
      network.ends().retired().clear();
      if (check) check();
    }
  }

  std::uint64_t drops() const {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < network.fabric().link_count(); ++i) sum += network.fabric().link(i).totals.drops;
    return sum;
  }
  double last() const { return *std::ranges::max_element(ends); }
  std::uint64_t retransmissions() const {
    std::uint64_t sum = 0;
    for (const FlowTotals& flow : totals) sum += flow.retransmissions;
    return sum;
  }

  Network network;
  std::vector<TestFlow> flows;
  std::vector<double> ends;
  std::vector<FlowTotals> totals;
};

// Hosts around one switch: link 2 i leads from host i to the switch, 2 i + 1 to the host.
void add_star(Run& run, std::uint32_t hosts, double bytes_per_second = 1.25e8, double latency = 1e-5) {
  for (std::uint32_t i = 0; i < 2 * hosts; ++i) run.add_link(bytes_per_second, latency);
}
TestFlow across_star(std::uint32_t from, std::uint32_t to, std::uint64_t bytes, double start = 0) {
  return {start, bytes, {2 * from, 2 * to + 1}, {2 * to, 2 * from + 1}};
}

// A random tree of switches with a host at each, its links of random speeds; flows between random hosts.
struct RandomTree {
  RandomTree(Run& run, std::uint64_t seed, std::uint32_t nodes) : random(seed) {
    for (std::uint32_t i = 0; i < nodes; ++i) {
      parent.push_back(i == 0 ? 0 : static_cast<std::uint32_t>(random.below(i)));
      const double speed = 1.25e7 * static_cast<double>(1 + random.below(100));
      const double latency = 1e-6 * static_cast<double>(1 + random.below(50));
      for (int way = 0; way < 4; ++way) run.add_link(speed, latency);  // host up, down; to the parent and back
    }
  }
  std::vector<std::uint32_t> path(std::uint32_t from, std::uint32_t to) const {
    std::vector<std::uint32_t> up, down;
    up.push_back(4 * from);
    std::uint32_t a = from, b = to;
    while (a != b) {
      if (a > b) {
        up.push_back(4 * a + 2);
        a = parent[a];
      } else {
        down.push_back(4 * b + 3);
        b = parent[b];
      }
    }
    up.insert(up.end(), down.rbegin(), down.rend());
    up.push_back(4 * to + 1);
    return up;
  }
  TestFlow flow() {
    const auto nodes = static_cast<std::uint32_t>(parent.size());
    const auto from = static_cast<std::uint32_t>(random.below(nodes));
    const auto to = (from + 1 + static_cast<std::uint32_t>(random.below(nodes - 1))) % nodes;
    return {1e-6 * static_cast<double>(random.below(5000)), random.below(300'000), path(from, to), path(to, from)};
  }
  SplitMix random;
  std::vector<std::uint32_t> parent;
};

const std::vector<std::string> all_kinds = {"transport=raw",
                                            "transport=raw,header=52,queue_packets=20",
                                            "transport=tcp",
                                            "transport=tcp,queue=32KiB,loss=0.001",
                                            "transport=tcp,congestion=newreno,sack=0,queue=16KiB",
                                            "transport=tcp,congestion=reno,sack=0,queue=16KiB",
                                            "transport=tcp,congestion=dctcp,ecn=30000",
                                            "transport=tcp,switching=cut-through,queue=32KiB",
                                            "transport=tcp,arbitration=fifo,queue=32KiB",
                                            "transport=tcp,switch_delay=2us,delayed_ack=1",
                                            "transport=window,window=64KiB,loss=0.001",
                                            "transport=tcp,lossless=credit,buffer=16KiB",
                                            "transport=raw,lossless=pfc,xoff=20kB,xon=10kB",
                                            "transport=rdma,lossless=credit",
                                            "transport=rdma,lossless=pfc,congestion=dcqcn,ecn=50000",
                                            "transport=rdma,queue=16KiB,min_rto=1ms"};

}  // namespace

TEST_CASE("packets: each one sent has arrived, was lost, or is on the way, at every date") {
  for (const std::string& kind : all_kinds)
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      INFO(kind << ", seed " << seed);
      Run run(kind);
      RandomTree tree(run, seed, 8);
      for (int i = 0; i < 12; ++i) run.add_flow(tree.flow());
      bool holds = true;
      run.run([&] {
        const Endpoints& ends = run.network.ends();
        holds = holds && ends.sent() - ends.arrived() - ends.lost() == run.network.fabric().packets_inside();
      });
      CHECK(holds);
      CHECK(run.network.fabric().packets_inside() == 0);
      if (kind.find("raw") == std::string::npos) CHECK(std::ranges::count(run.ends, -1) == 0);
    }
}

TEST_CASE("packets: no flow is faster than its narrowest link") {
  for (const std::string& kind : all_kinds) {
    INFO(kind);
    Run run(kind);
    RandomTree tree(run, 7, 10);
    for (int i = 0; i < 20; ++i) run.add_flow(tree.flow());
    run.run();
    for (std::size_t i = 0; i < run.flows.size(); ++i) {
      if (run.ends[i] < 0) continue;
      double least = 0;
      for (const std::uint32_t link : run.flows[i].forward)
        least = std::max(least, static_cast<double>(run.flows[i].bytes) *
                                    run.network.fabric().link(link).picoseconds_per_byte * 1e-12);
      CHECK(run.ends[i] - run.flows[i].start >= least);
    }
  }
}

TEST_CASE("packets: a lossless network drops nothing, and credits never exceed the buffer") {
  for (const char* kind : {"transport=raw,lossless=credit,buffer=9000", "transport=tcp,lossless=credit,buffer=6000",
                           "transport=raw,lossless=pfc,xoff=9000,xon=3000"})
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      INFO(kind << ", seed " << seed);
      Run run(kind);
      RandomTree tree(run, seed, 8);
      for (int i = 0; i < 16; ++i) run.add_flow(tree.flow());
      const Parameters& parameters = run.network.parameters();
      bool fits = true;
      run.run([&] {
        for (std::uint32_t i = 0; i < run.network.fabric().link_count(); ++i)
          fits = fits && run.network.fabric().waiting_from(i) <= parameters.buffer;
      });
      if (parameters.lossless == Lossless::credit) CHECK(fits);
      CHECK(run.drops() == 0);
      CHECK(run.network.ends().lost() == 0);
      CHECK(std::ranges::count(run.ends, -1) == 0);
    }
}

TEST_CASE("packets: a port with work is never idle") {
  SplitMix random(5);
  for (int round = 0; round < 10; ++round) {
    Run run("transport=raw,header=0,framing=0,queue=0");
    add_star(run, 9);
    const double tx = 1500 / 1.25e8;
    std::uint64_t packets = 0;
    for (std::uint32_t i = 0; i < 8; ++i) {
      const std::uint64_t count = 20 + random.below(50);
      run.add_flow(across_star(i, 8, 1500 * count));
      packets += count;
    }
    run.run();
    CHECK(run.last() == Approx(tx + 2e-5 + static_cast<double>(packets) * tx).epsilon(1e-12));
  }
}

TEST_CASE("packets: DCTCP keeps the queue near its mark, and CUBIC fills it") {
  const auto longest = [](const std::string& kind) {
    Run run(kind + ",queue=400000,initial_window=2");
    add_star(run, 3);
    for (std::uint32_t i = 0; i < 2; ++i) run.add_flow(across_star(i, 2, 20'000'000));
    run.run();
    return run.network.fabric().link(5).totals.longest_queue;
  };
  // A round trip of two senders is 2 x 5 kB; each may add a window in the round trip before it sees marks.
  CHECK(longest("congestion=dctcp,ecn=40000") < 40'000 + 2 * 50'000);
  CHECK(longest("congestion=cubic") > 350'000);
}

TEST_CASE("packets: the same seed loses the same packets, and another seed others") {
  const auto ends = [](const std::string& seed) {
    Run run("loss=0.01,seed=" + seed);
    RandomTree tree(run, 3, 8);
    for (int i = 0; i < 10; ++i) run.add_flow(tree.flow());
    run.run();
    return run.ends;
  };
  CHECK(ends("1") == ends("1"));
  CHECK(ends("1") != ends("2"));
}

TEST_CASE("packets: traffic on other links changes no date, losses included") {
  const auto ends = [](bool has_others) {
    Run run("loss=0.005");
    add_star(run, 6);
    for (std::uint32_t i = 0; i < 2; ++i) run.add_flow(across_star(i, 1 - i, 2'000'000));
    if (has_others)
      for (std::uint32_t i = 2; i < 5; ++i) run.add_flow(across_star(i, 5, 3'000'000, 1e-4 * i));
    run.run();
    return std::vector<double>(run.ends.begin(), run.ends.begin() + 2);
  };
  CHECK(ends(false) == ends(true));
}

TEST_CASE("packets: jumbo frames cross 6.2 times fewer links") {
  const auto hops = [](const std::string& mtu) {
    Run run("delayed_ack=2,mtu=" + mtu);
    add_star(run, 2);
    run.add_flow(across_star(0, 1, 10'000'000));
    run.run();
    return static_cast<double>(run.network.fabric().hops());
  };
  CHECK(hops("1500") / hops("9000") == Approx(6.2).margin(0.2));
}

TEST_CASE("packets: long flows share a port as a fluid does") {
  for (const std::uint32_t flows : {1u, 2u, 4u, 16u}) {
    INFO(flows << " flows");
    Run run("queue=4MiB,window=240KiB");  // beyond a round trip of the path, and all windows fit into the queue
    add_star(run, flows + 1);
    for (std::uint32_t i = 0; i < flows; ++i) run.add_flow(across_star(i, flows, 100'000'000 / flows));
    run.run();
    const double fluid = 1e8 / (1.25e8 * 1448 / 1538);
    CHECK(run.last() == Approx(fluid).epsilon(flows == 1 ? 0.01 : 0.05));
    const double mean = [&] {
      double sum = 0;
      for (const double end : run.ends) sum += end;
      return sum / flows;
    }();
    CHECK(mean == Approx(fluid).epsilon(flows == 1 ? 0.01 : 0.05));
  }
}

TEST_CASE("packets: a connection survives the loss of any single packet") {
  // 1 % of 40 seeds and 60 packets: the handshake, data and acknowledgements are lost somewhere.
  for (const char* kind : {"sack=1", "sack=0,congestion=newreno", "sack=0,congestion=reno", "transport=window",
                           "transport=rdma,min_rto=10ms"})
    for (int seed = 1; seed <= 40; ++seed) {
      Run run(std::string(kind) + ",loss=0.03,seed=" + std::to_string(seed));
      add_star(run, 2);
      run.add_flow(across_star(0, 1, 60'000));
      run.run();
      INFO(kind << ", seed " << seed);
      CHECK(run.ends[0] > 0);
      CHECK(run.network.fabric().packets_inside() == 0);
    }
}

TEST_CASE("packets: messages of one connection arrive in order, and the second waits for the first") {
  Network network(keys("transport=tcp,connect=0"));
  for (std::uint32_t i = 0; i < 4; ++i) network.fabric().add({i, 1.25e8, 1e-5, true, {}});
  const std::vector<std::uint32_t> forward{0, 3}, back{2, 1};
  const std::uint32_t connection = network.ends().open(forward, back, true);
  network.ends().send(connection, 1'000'000, 0, 0);
  network.ends().send(connection, 0, 1, 0);
  network.ends().send(connection, 1, 2, 0);
  std::vector<std::uint32_t> order;
  std::vector<Picoseconds> dates;
  Picoseconds date;
  while ((date = network.run_until(no_date - 1)) != no_date) {
    for (const Completion& completion : network.ends().completions()) {
      order.push_back(completion.activity);
      dates.push_back(date);
    }
    network.ends().completions().clear();
  }
  CHECK(order == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(dates[0] < dates[1]);
  CHECK(dates[1] < dates[2]);
  CHECK(network.ends()[connection].phase == Phase::open);
}

// The dates at which three messages of 100 bytes arrive, which one connection gets at once.
static std::vector<Picoseconds> arrivals_of_small_messages(const std::string& text) {
  Network network(keys(text));
  for (std::uint32_t i = 0; i < 4; ++i) network.fabric().add({i, 1.25e8, 1e-5, true, {}});
  const std::vector<std::uint32_t> forward{0, 3}, back{2, 1};
  const std::uint32_t connection = network.ends().open(forward, back, true);
  for (std::uint32_t message = 0; message < 3; ++message) network.ends().send(connection, 100, message, 0);
  std::vector<Picoseconds> dates;
  for (Picoseconds date; (date = network.run_until(no_date - 1)) != no_date; network.ends().completions().clear())
    dates.insert(dates.end(), network.ends().completions().size(), date);
  return dates;
}

TEST_CASE("packets: with Nagle's algorithm, short messages wait for the delayed acknowledgement, and share a segment") {
  // 190 bytes on the wire take 1.52 us on each link, and 10 us of latency.
  CHECK(arrivals_of_small_messages("connect=0") == std::vector<Picoseconds>{23'040'000, 24'560'000, 26'080'000});
  // 40 ms after the arrival, the acknowledgement takes 2 (0.72 + 10) us, and 290 bytes 2 (2.32 + 10) us.
  const Picoseconds late = 23'040'000 + 40'000'000'000 + 21'440'000 + 24'640'000;
  CHECK(arrivals_of_small_messages("connect=0,nagle=1") == std::vector<Picoseconds>{23'040'000, late, late});
  const Picoseconds soon = 23'040'000 + 21'440'000 + 24'640'000;
  CHECK(arrivals_of_small_messages("connect=0,nagle=1,delayed_ack=1") ==
        std::vector<Picoseconds>{23'040'000, soon, soon});
  CHECK_FALSE(parse_parameters("nagle=1,transport=window"));
}

TEST_CASE("packets: Nagle's algorithm loses nothing of many messages on lossy links") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Network network(keys("nagle=1,loss=0.02,seed=" + std::to_string(seed)));
    for (std::uint32_t i = 0; i < 4; ++i) network.fabric().add({i, 1.25e8, 1e-5, true, {}});
    const std::vector<std::uint32_t> forward{0, 3}, back{2, 1};
    const std::uint32_t connection = network.ends().open(forward, back, true);
    SplitMix random(seed);
    std::vector<std::uint32_t> order, all;
    for (std::uint32_t message = 0; message < 200; ++message) {
      network.ends().send(connection, random.next() % 3000, message, 0);
      all.push_back(message);
    }
    while (network.run_until(no_date - 1) != no_date) {
      for (const Completion& completion : network.ends().completions()) order.push_back(completion.activity);
      network.ends().completions().clear();
    }
    CHECK(order == all);
  }
}

// Sends messages in turn on so many streams of a lossy connection. The messages in the order of their delivery.
static std::vector<std::uint32_t> delivered_on_streams(std::uint32_t streams, std::uint64_t seed) {
  Network network(keys("loss=0.03,streams=" + std::to_string(streams) + ",seed=" + std::to_string(seed)));
  for (std::uint32_t i = 0; i < 4; ++i) network.fabric().add({i, 1.25e8, 1e-5, true, {}});
  const std::vector<std::uint32_t> forward{0, 3}, back{2, 1};
  const std::uint32_t connection = network.ends().open(forward, back, true);
  SplitMix random(seed);
  for (std::uint32_t message = 0; message < 300; ++message)
    network.ends().send(connection, random.next() % 4000, message, 0, message % streams);
  std::vector<std::uint32_t> delivered;
  for (; network.run_until(no_date - 1) != no_date; network.ends().completions().clear())
    for (const Completion& completion : network.ends().completions()) delivered.push_back(completion.activity);
  return delivered;
}

TEST_CASE("packets: messages of one stream arrive in order; those of others do not wait for a lost packet") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CHECK(std::ranges::is_sorted(delivered_on_streams(1, seed)));
    const std::vector<std::uint32_t> delivered = delivered_on_streams(4, seed);
    CHECK(delivered.size() == 300);
    CHECK_FALSE(std::ranges::is_sorted(delivered));
    std::array<std::uint32_t, 4> next{0, 1, 2, 3};
    for (const std::uint32_t message : delivered) {
      CHECK(message == next[message % 4]);
      next[message % 4] += 4;
    }
  }
}

TEST_CASE("packets: a flow at its own rate takes its bytes over that rate") {
  Network network(keys("transport=tcp,connect=0"));
  for (std::uint32_t i = 0; i < 4; ++i) network.fabric().add({i, 1.25e8, 1e-5, true, {}});
  const std::vector<std::uint32_t> forward{0, 3}, back{2, 1};
  const std::uint32_t connection = network.ends().open(forward, back, false);
  network.ends().set_rate(connection, 1e6, 0);
  network.ends().send(connection, 1'000'000, 0, 0);
  const Picoseconds end = network.run_until(no_date - 1);
  CHECK(static_cast<double>(end) * 1e-12 == Approx(1.0).epsilon(0.005));
}

}  // namespace network_test
