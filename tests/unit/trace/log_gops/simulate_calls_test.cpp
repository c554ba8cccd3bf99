// SPDX-License-Identifier: MIT
//
// Traces of calls in the LogGOPS model, against the simulation of their whole schedules.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "tests/support/temporary_file.hpp"
#include "trace/log_gops.hpp"
#include "trace/trace.hpp"

namespace rehearse::trace {
namespace simulate_calls_test {
namespace {

using rehearse::testing::TemporaryFile;

// A random trace. Most of them end; some have ranks that wait for each other, or messages that nobody receives.
class RandomTrace {
 public:
  explicit RandomTrace(std::uint64_t seed) : random_(seed), lines_(2 + random_() % 4), open_(lines_.size()) {}

  std::string text() {
    const std::uint64_t phases = 3 + random_() % 30;
    for (std::uint64_t phase = 0; phase < phases; ++phase) add_phase();
    std::string text;
    for (std::size_t rank = 0; rank < lines_.size(); ++rank) {
      add(rank, "waitall");
      text += lines_[rank];
    }
    return text;
  }

 private:
  std::string number(std::uint64_t value) { return std::to_string(value); }
  void add(std::size_t rank, const std::string& line) { lines_[rank] += number(rank) + " " + line + "\n"; }
  bool chance(unsigned percent) { return random_() % 100 < percent; }
  std::string bytes() { return number(chance(20) ? 70000 + random_() % 100000 : random_() % 3000); }

  void add_phase() {
    const std::size_t ranks = lines_.size(), one = random_() % ranks,
                      other = (one + 1 + random_() % (ranks - 1)) % ranks;
    switch (random_() % 10) {
      case 0: return add(one, "compute " + number(random_() % 100000));
      case 1: return add(one, "waitall");
      case 2: return add_collective();
      case 3: return add_ring();
      case 4:
        if (!open_[one].empty()) {
          const std::size_t which = random_() % open_[one].size();
          add(one, "wait " + open_[one][which]);
          open_[one].erase(open_[one].begin() + static_cast<std::ptrdiff_t>(which));
        }
        return;
      default: return add_message(one, other);
    }
  }

  void add_message(std::size_t from, std::size_t to) {
    const std::string tag = number(random_() % 3), size = bytes();
    const bool is_lost = chance(1);
    start(from, chance(60), "send " + number(to) + " " + tag + " " + size, number(from) + " " + number(to) + " " + tag);
    const bool is_any = chance(5);
    if (!is_lost)
      start(to, chance(60), "recv " + (is_any ? std::string("-333") : number(from)) + " " + tag + " " + size,
            (is_any ? std::string("-333") : number(from)) + " " + number(to) + " " + tag);
  }

  void start(std::size_t rank, bool is_nonblocking, const std::string& line, const std::string& name) {
    add(rank, (is_nonblocking ? "i" : "") + line);
    if (is_nonblocking) open_[rank].push_back(name);
  }

  void add_ring() {
    const std::string size = bytes();
    for (std::size_t rank = 0; rank < lines_.size(); ++rank)
      add(rank, "sendRecv " + size + " " + number((rank + 1) % lines_.size()) + " " + size + " " +
                    number((rank + lines_.size() - 1) % lines_.size()));
  }

  void add_collective() {
    const std::string root = number(random_() % lines_.size()), size = bytes();
    const std::vector<std::string> calls = {"barrier",
                                            "bcast " + size + " " + root,
                                            "reduce " + size + " 500 " + root,
                                            "allreduce " + size + " 500",
                                            "gather " + size + " " + size + " " + root,
                                            "alltoall " + size + " " + size};
    const std::string& call = calls[random_() % calls.size()];
    for (std::size_t rank = 0; rank < lines_.size(); ++rank) add(rank, call);
  }

  std::mt19937_64 random_;
  std::vector<std::string> lines_;              // by rank
  std::vector<std::vector<std::string>> open_;  // names of requests, by rank
};

TEST_CASE("loggops: traces of calls end as their schedules do", "[trace]") {
  GoalConversion options;
  options.flops_per_second = 1e9;
  int ended = 0, given_up = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    const TemporaryFile file(RandomTrace(seed).text());
    LogGopsParameters parameters;
    if (seed % 3 == 1) parameters.overhead_per_byte = 9;
    const auto calls = open_trace(file.path());
    REQUIRE(calls);
    const auto schedule = make_schedule(*calls.value(), options);
    const auto simulated = simulate_calls(*calls.value(), options, parameters);
    if (!schedule || !schedule.value().unsupported.empty()) {
      CHECK_FALSE(simulated);
      continue;
    }
    const auto whole = simulate_log_gops(schedule.value().schedule, parameters);
    REQUIRE(whole);
    const LogGopsResult& expected = whole.value();
    const bool has_ended = expected.begun.empty() && expected.not_begun.empty() && expected.not_received.empty();
    REQUIRE(simulated.has_value() == has_ended);
    ++(has_ended ? ended : given_up);
    if (!has_ended) continue;
    CHECK(simulated->result.ends == expected.ends);
    CHECK(simulated->result.events == expected.events);
    CHECK(simulated->actions == schedule.value().schedule.actions);
    LogGopsLoads loads(calls.value()->ranks(), parameters);
    for (std::uint32_t rank = 0; rank < calls.value()->ranks(); ++rank) {
      const GoalSchedule::Block& block = schedule.value().schedule.blocks[rank];
      for (std::uint32_t i = block.first; i < block.first + block.count; ++i)
        loads.add(rank, schedule.value().schedule.operations[i]);
      CHECK(simulated->result.loads[rank].messages == loads.of_ranks()[rank].messages);
      CHECK(expected.loads[rank].messages == loads.of_ranks()[rank].messages);
    }
  }
  CHECK(ended > 100);
  CHECK(given_up > 10);
}

TEST_CASE("loggops: a rank that gathers from itself goes on behind its calls", "[trace]") {
  const TemporaryFile file("0 comm_split 0 1 0 5\n0 recv 1 0 1\n0 gather 8 8 0 comm=5\n0 compute 10\n"
                           "1 comm_split 0 2 0 5\n1 compute 5000\n1 send 0 0 1\n");
  GoalConversion options;
  options.flops_per_second = 1e9;
  const auto calls = open_trace(file.path());
  REQUIRE(calls);
  const auto simulated = simulate_calls(*calls.value(), options, {});
  REQUIRE(simulated);
  CHECK(simulated->result.ends == std::vector<std::uint64_t>{5000 + 1500 + 2500 + 1500 + 10, 5000 + 1500});
}

}  // namespace
}  // namespace simulate_calls_test
}  // namespace rehearse::trace
