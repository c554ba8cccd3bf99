// SPDX-License-Identifier: MIT
//
// Platform files and profiles mutated at random: each must end as a platform whose routes can be asked
// for, or as one line of error. Never a crash, and never more than a second of work.
//
// Usage:  rehearse_platform_fuzz --corpus FOLDER [--seconds CPU_SECONDS] [--seed N] [--only CASE]
// Seeds:  case N depends on the seed and N alone; a failure names both, and --only does it again.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "simcore/platform_text.hpp"
#include "simcore/profile.hpp"
#include "simcore/support/random.hpp"
#include "simcore/support/read_file.hpp"

namespace {

using namespace rehearse;

constexpr unsigned seconds_per_case_max = 20;  // of a loaded machine, with sanitizers

// What a failure is named by; of this thread only.
thread_local unsigned long long current_case = 0;
thread_local unsigned long long current_seed = 0;

void complain(const char* what) {
  std::array<char, 200> text{};
  const int size =
      std::snprintf(text.data(), text.size(), "%s: --seed %llu --only %llu\n", what, current_seed, current_case);
  if (write(STDERR_FILENO, text.data(), static_cast<std::size_t>(size)) < 0) std::_Exit(71);
}

extern "C" void on_alarm(int) {
  complain("took too long");
  std::_Exit(1);
}

extern "C" void on_abort(int) {
  complain("crashed");
  std::_Exit(1);
}

constexpr std::array words = {"0",
                              "-1",
                              "1e308",
                              "1e-320",
                              "nan",
                              "inf",
                              "4294967295",
                              "4294967296",
                              "18446744073709551616",
                              "0-4000000000",
                              "0-3,2",
                              "0;3",
                              "1KBps",
                              "1MBps",
                              "1Gf",
                              "50us",
                              "YES",
                              "NO",
                              "UP",
                              "DOWN",
                              "Full",
                              "Floyd",
                              "Dijkstra",
                              "DijkstraCache",
                              "Cluster",
                              "Vivaldi",
                              "Wifi",
                              "None",
                              "TORUS",
                              "FAT_TREE",
                              "DRAGONFLY",
                              "SHARED",
                              "FATPIPE",
                              "SPLITDUPLEX",
                              "WIFI",
                              "2;4,4;1,2;1,2",
                              "3,4;4,3;5,1;2",
                              "2,2",
                              "65535,65535",
                              "a",
                              "b",
                              "z",
                              "<zone id='q' routing='Full'>",
                              "</zone>",
                              "<host id='h' speed='1f'/>",
                              "<link_ctn id='l'/>",
                              "symmetrical='NO'",
                              "gw_src='a'",
                              "gw_dst='b'",
                              "coordinates='0 0 0'",
                              "PERIODICITY 1",
                              "LOOPAFTER 0",
                              "STOCHASTIC LOOP",
                              "DET 0",
                              "NORM -1 1",
                              "&lt;",
                              "<!--",
                              "-->",
                              "<![CDATA[",
                              "&#0;",
                              "\xff\xfe",
                              "radical='0-999999'",
                              "core='0'",
                              "state_file='/dev/zero'"};

std::size_t below(SplitMix& random, std::size_t count) {
  return count == 0 ? 0 : static_cast<std::size_t>(random.below(count));
}

// From one quote, blank or bracket to the next.
std::pair<std::size_t, std::size_t> token(const std::string& text, SplitMix& random) {
  constexpr const char* borders = "\"' <>=,;\n";
  const std::size_t start = text.find_first_of(borders, below(random, text.size()));
  if (start == std::string::npos) return {0, 0};
  const std::size_t end = text.find_first_of(borders, start + 1);
  return {start + 1, end == std::string::npos ? text.size() : end};
}

// From the beginning of one element to the beginning of another.
std::pair<std::size_t, std::size_t> element(const std::string& text, SplitMix& random) {
  const std::size_t start = text.find('<', below(random, text.size()));
  if (start == std::string::npos) return {0, 0};
  std::size_t end = start;
  for (std::size_t i = 1 + below(random, 4); i > 0 && end != std::string::npos; --i) end = text.find('<', end + 1);
  return {start, end == std::string::npos ? text.size() : end};
}

void mutate(std::string& text, const std::string& other, SplitMix& random) {
  const std::size_t at = below(random, text.size() + 1);
  switch (random.below(9)) {
    case 0:
      if (!text.empty()) text[below(random, text.size())] ^= static_cast<char>(1u << below(random, 8));
      return;
    case 1: text.erase(at, below(random, 40)); return;
    case 2: text.insert(at, words[below(random, words.size())]); return;
    case 3:
    case 4: {
      const auto [start, end] = token(text, random);
      text.replace(start, end - start, words[below(random, words.size())]);
      return;
    }
    case 5: {
      const auto [start, end] = element(text, random);
      text.erase(start, end - start);
      return;
    }
    case 6: {
      const auto [start, end] = element(text, random);
      text.insert(std::min(at, text.size()), text.substr(start, end - start));
      return;
    }
    case 7: {
      const auto [start, end] = element(other, random);
      const auto [place, ignored] = element(text, random);
      text.insert(place, other.substr(start, end - start));
      return;
    }
    default: {
      const auto [start, end] = token(text, random);
      const auto [from, to] = token(text, random);
      text.replace(start, end - start, text.substr(from, to - from));
    }
  }
}

void fail(const std::string& what) {
  std::cerr << what << '\n';
  complain("failed");
  std::_Exit(1);
}

void check_error(const std::string& text) {
  if (text.empty() || text.find('\n') != std::string::npos) fail("an error of several lines: " + text);
  if (text.size() > 1000) fail("an error of " + std::to_string(text.size()) + " bytes");
}

// Returns whether it was a platform.
bool try_platform(const std::string& text, SplitMix& random) {
  auto platform = platform_from_text("fuzz.xml", text, {2'000, 20'000, 20});
  if (!platform) {
    check_error(platform.error().text);
    return false;
  }
  const Platform& machine = platform.value();
  Route route;
  for (int i = 0; i < 30; ++i) {
    const HostId from{static_cast<std::uint32_t>(random.below(machine.hosts().size()))};
    const HostId to{static_cast<std::uint32_t>(random.below(machine.hosts().size()))};
    if (!machine.find_route(from, to, route)) continue;
    if (!(route.latency_seconds >= 0)) fail("a latency that is not a number");
    for (const LinkId link : route.links)
      if (link.value >= machine.links().size()) fail("a link that is not there");
  }
  for (std::uint32_t i = 0; i < machine.hosts().size(); ++i) {
    if (machine.find_host(machine.hosts()[i].name) != HostId{i}) fail("a host that is not found");
    const Profile* profile = machine.speed_profile(HostId{i});
    if (profile == nullptr) continue;
    ProfileCursor cursor(*profile, i);
    double last = 0;
    for (int step = 0; step < 100 && last < Profile::never; ++step, cursor.pop()) {
      if (cursor.next_date() < last || !(cursor.next_value() >= 0)) fail("a profile that goes back");
      last = cursor.next_date();
    }
  }
  return true;
}

struct Settings {
  std::string corpus;
  double seconds = 10;
  unsigned long long seed = 1;
  long long only = -1;
};

Settings read(int count, char** arguments) {
  Settings settings;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string name = arguments[i];
    if (name == "--corpus") settings.corpus = arguments[i + 1];
    else if (name == "--seconds") settings.seconds = std::atof(arguments[i + 1]);
    else if (name == "--seed") settings.seed = std::strtoull(arguments[i + 1], nullptr, 10);
    else if (name == "--only") settings.only = std::atoll(arguments[i + 1]);
  }
  return settings;
}

std::vector<std::string> read_corpus(const std::string& folder) {
  std::vector<std::string> names, texts;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().string());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) texts.push_back(read_file(name).value_or(""));
  return texts;
}

bool run_case(const std::vector<std::string>& corpus, bool shown) {
  SplitMix random(current_seed * 0x9e3779b97f4a7c15u + current_case);
  std::string text = corpus[below(random, corpus.size())];
  for (std::size_t i = below(random, 6); i > 0; --i) mutate(text, corpus[below(random, corpus.size())], random);
  if (shown) std::cerr << text << '\n';
  if (text.find('<') == std::string::npos) {
    const auto profile = parse_profile(text, "fuzz.txt", 1, random.below(2) * 10.0);
    if (!profile) check_error(profile.error().text);
    return static_cast<bool>(profile);
  }
  return try_platform(text, random);
}

}  // namespace

int main(int count, char** arguments) {
  const Settings settings = read(count, arguments);
  const std::vector<std::string> corpus = read_corpus(settings.corpus);
  if (corpus.empty()) return 2;
  current_seed = settings.seed;
  if (settings.only >= 0) {
    current_case = static_cast<unsigned long long>(settings.only);
    std::cout << (run_case(corpus, true) ? "accepted\n" : "refused\n");
    return 0;
  }
  std::signal(SIGALRM, on_alarm);
  std::signal(SIGABRT, on_abort);
  std::signal(SIGSEGV, on_abort);
  unsigned long long accepted = 0;
  const std::clock_t end = std::clock() + static_cast<std::clock_t>(settings.seconds * CLOCKS_PER_SEC);
  for (; std::clock() < end; ++current_case) {
    alarm(seconds_per_case_max);
    accepted += run_case(corpus, false);
  }
  std::cout << current_case << " cases, " << accepted << " accepted\n";
  return accepted > 0 ? 0 : 1;
}
