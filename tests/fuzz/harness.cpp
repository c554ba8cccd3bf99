// SPDX-License-Identifier: MIT
//
// See harness.hpp.
#include "tests/fuzz/harness.hpp"

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "simcore/support/read_file.hpp"

namespace rehearse::fuzz {
namespace {

constexpr unsigned cpu_seconds_per_case_max = 10;  // with sanitizers
constexpr unsigned seconds_per_case_max = 300;     // of a loaded machine

// The name of a failure; of this thread only.
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

// Of the next case; 0: none.
void set_limits(unsigned cpu_seconds, unsigned seconds) {
  itimerval limit{};
  limit.it_value.tv_sec = cpu_seconds;
  setitimer(ITIMER_PROF, &limit, nullptr);
  alarm(seconds);
}

// With that of children, which have ended.
double cpu_seconds() {
  double seconds = 0;
  for (const auto whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(whose, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  return seconds;
}

using Piece = std::pair<std::size_t, std::size_t>;

// From one border to the next.
Piece word_of(const std::string& text, const Grammar& grammar, SplitMix& random) {
  const std::size_t start = text.find_first_of(grammar.borders, below(random, text.size()));
  if (start == std::string::npos) return {0, 0};
  const std::size_t end = text.find_first_of(grammar.borders, start + 1);
  return {start + 1, end == std::string::npos ? text.size() : end};
}

// Up to four larger pieces.
Piece lines_of(const std::string& text, const Grammar& grammar, SplitMix& random) {
  const std::size_t start = text.find(grammar.line_end, below(random, text.size()));
  if (start == std::string::npos) return {0, 0};
  std::size_t end = start;
  for (std::size_t i = 1 + below(random, 4); i > 0 && end != std::string::npos; --i)
    end = text.find(grammar.line_end, end + 1);
  return {start, end == std::string::npos ? text.size() : end};
}

}  // namespace

Settings read_settings(int count, char** arguments) {
  Settings settings;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string name = arguments[i];
    if (name == "--corpus") settings.corpus = arguments[i + 1];
    else if (name == "--reader") settings.reader = arguments[i + 1];
    else if (name == "--seconds") settings.seconds = std::atof(arguments[i + 1]);
    else if (name == "--seed") settings.seed = std::strtoull(arguments[i + 1], nullptr, 10);
    else if (name == "--only") settings.only = std::atoll(arguments[i + 1]);
  }
  return settings;
}

std::vector<std::string> read_corpus(const std::string& folder, const std::string& ending) {
  std::vector<std::string> names, texts;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.is_regular_file() && entry.path().string().ends_with(ending)) names.push_back(entry.path().string());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) texts.push_back(read_file(name).value_or(""));
  return texts;
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

int run_cases(const Settings& settings, const Case& run) {
  const auto run_one = [&](bool shown) {
    SplitMix random(settings.seed * 0x9e3779b97f4a7c15u + current_case);
    return run(random, shown);
  };
  current_seed = settings.seed;
  if (settings.only >= 0) {
    current_case = static_cast<unsigned long long>(settings.only);
    std::cout << (run_one(true) ? "accepted\n" : "refused\n");
    return 0;
  }
  std::signal(SIGALRM, on_alarm);
  std::signal(SIGPROF, on_alarm);
  std::signal(SIGABRT, on_abort);
  std::signal(SIGSEGV, on_abort);
  unsigned long long accepted = 0;
  const double end = cpu_seconds() + settings.seconds;
  for (current_case = 0; cpu_seconds() < end; ++current_case) {
    set_limits(cpu_seconds_per_case_max, seconds_per_case_max);
    accepted += run_one(false);
  }
  set_limits(0, 0);
  std::cout << settings.reader << (settings.reader.empty() ? "" : ": ") << current_case << " cases, " << accepted
            << " accepted\n";
  return accepted > 0 ? 0 : 1;
}

std::size_t below(SplitMix& random, std::size_t count) {
  return count == 0 ? 0 : static_cast<std::size_t>(random.below(count));
}

void mutate(std::string& text, const std::string& other, const Grammar& grammar, SplitMix& random) {
  const std::size_t at = below(random, text.size() + 1);
  switch (random.below(9)) {
    case 0:
      if (!text.empty()) text[below(random, text.size())] ^= static_cast<char>(1u << below(random, 8));
      return;
    case 1: text.erase(at, below(random, 40)); return;
    case 2: text.insert(at, grammar.words[below(random, grammar.words.size())]); return;
    case 3:
    case 4: {
      const auto [start, end] = word_of(text, grammar, random);
      text.replace(start, end - start, grammar.words[below(random, grammar.words.size())]);
      return;
    }
    case 5: {
      const auto [start, end] = lines_of(text, grammar, random);
      text.erase(start, end - start);
      return;
    }
    case 6: {
      const auto [start, end] = lines_of(text, grammar, random);
      text.insert(std::min(at, text.size()), text.substr(start, end - start));
      return;
    }
    case 7: {
      const auto [start, end] = lines_of(other, grammar, random);
      const auto [place, ignored] = lines_of(text, grammar, random);
      text.insert(place, other.substr(start, end - start));
      return;
    }
    default: {
      const auto [start, end] = word_of(text, grammar, random);
      const auto [from, to] = word_of(text, grammar, random);
      text.replace(start, end - start, text.substr(from, to - from));
    }
  }
}

void mutate_bytes(std::string& bytes, SplitMix& random) {
  if (bytes.empty()) return;
  const std::size_t at = below(random, bytes.size());
  switch (random.below(6)) {
    case 0: bytes[at] ^= static_cast<char>(1u << below(random, 8)); return;
    case 1: bytes[at] = static_cast<char>(random.below(256)); return;
    case 2: bytes.erase(at, 1 + below(random, 8)); return;
    case 3: bytes.insert(at, bytes.substr(below(random, bytes.size()), 1 + below(random, 16))); return;
    case 4: {  // a large number in 7 bits a byte, or in 8 bytes
      const bool is_long = random.below(2) == 0;
      bytes.replace(at, is_long ? 8 : 5, is_long ? 8 : 5, static_cast<char>(0xff));
      if (!is_long) bytes.insert(std::min(at + 5, bytes.size()), 1, static_cast<char>(random.below(128)));
      return;
    }
    default: bytes[at] = static_cast<char>(bytes[at] + (random.below(2) == 0 ? 1 : -1));
  }
}

}  // namespace rehearse::fuzz
