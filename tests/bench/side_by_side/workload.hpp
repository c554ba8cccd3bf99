// SPDX-License-Identifier: MIT
//
// What both sides of a comparison share besides the scenarios: a generator of which every bit is specified (so that
// the same seed gives the same workload in both programs), the command line, and the line of JSON that they print.
//
// Units:   seconds, bytes and flops as double, as in both actor interfaces.
// Errors:  a wrong command line ends the program with status 2.
// Threads: none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace rehearse::bench {

// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t limit) { return next() % limit; }
  double between(double low, double high) { return low + (high - low) * (static_cast<double>(next() >> 11) * 0x1p-53); }

 private:
  std::uint64_t state_;
};

struct FlowSpec {
  double start;
  std::uint32_t source, destination;  // numbers of hosts, different
  double bytes;
};

// `count` flows between random pairs of hosts that start within `span` seconds, by start date.
inline std::vector<FlowSpec> random_flows(std::size_t count, std::size_t hosts, double span, double most_bytes) {
  Generator random(7);
  std::vector<FlowSpec> flows(count);
  for (FlowSpec& flow : flows) {
    flow.start = random.between(0, span);
    flow.source = static_cast<std::uint32_t>(random.below(hosts));
    flow.destination = static_cast<std::uint32_t>((flow.source + 1 + random.below(hosts - 1)) % hosts);
    flow.bytes = static_cast<double>(static_cast<std::uint64_t>(random.between(0.01, 1) * most_bytes));
  }
  std::sort(flows.begin(), flows.end(), [](const FlowSpec& a, const FlowSpec& b) { return a.start < b.start; });
  return flows;
}

// What a run is asked for: CASE PLATFORM NUMBER... and options, which begin with --.
struct Arguments {
  std::string scenario, platform;
  std::vector<double> numbers;
  std::vector<std::string> options;

  double number(std::size_t index) const {
    if (index >= numbers.size()) fail("number " + std::to_string(index + 1) + " is missing");
    return numbers[index];
  }
  std::size_t count(std::size_t index) const { return static_cast<std::size_t>(number(index)); }

  [[noreturn]] static void fail(const std::string& what) {
    std::fprintf(stderr, "usage: CASE PLATFORM NUMBER...: %s\n", what.c_str());
    std::exit(2);
  }
};

inline Arguments parse_arguments(int argc, char** argv) {
  if (argc < 3) Arguments::fail("too few words");
  Arguments result{argv[1], argv[2], {}, {}};
  for (int i = 3; i < argc; ++i) {
    if (std::string_view(argv[i]).starts_with("--")) result.options.emplace_back(argv[i]);
    else result.numbers.push_back(std::strtod(argv[i], nullptr));
  }
  return result;
}

// Processor time of this process: both sides have one thread, and other work on the machine does not count.
class Stopwatch {
 public:
  double seconds() const { return processor_seconds() - start_; }

 private:
  static double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  double start_ = processor_seconds();
};

// The most memory that the process ever had resident, in bytes. (getrusage would count what ran before exec as well.)
inline std::uint64_t peak_bytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  std::uint64_t kilobytes = 0;
  while (status >> word) {
    if (word == "VmHWM:") status >> kilobytes;
  }
  return kilobytes * 1024;
}

// One line: seconds to load the platform, seconds of the simulation (its actors made included), simulated end, memory.
inline void print_result(double load_seconds, double run_seconds, double end) {
  std::printf("{\"load\": %.6f, \"run\": %.6f, \"end\": %.12g, \"peak\": %llu}\n", load_seconds, run_seconds, end,
              static_cast<unsigned long long>(peak_bytes()));
}

}  // namespace rehearse::bench
