// SPDX-License-Identifier: MIT
//
// The loop of the fuzzers: cases until the CPU time is over. A case that crashes, hangs or breaks a rule ends the
// program with status 1 and one line that names it.
//
// Usage:   FUZZER --corpus FOLDER [--seconds CPU_SECONDS] [--seed N] [--only CASE] [--reader NAME]
// Seeds:   case N depends on the seed and N alone; a failure names both, and --only repeats it.
// Threads: none.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "simcore/support/random.hpp"

namespace rehearse::fuzz {

struct Settings {
  std::string corpus;
  std::string reader;
  double seconds = 10;
  unsigned long long seed = 1;
  long long only = -1;
};

Settings read_settings(int count, char** arguments);

// The contents of the files of a folder, by name. `ending`: of the names; empty: all files.
std::vector<std::string> read_corpus(const std::string& folder, const std::string& ending = "");

// Returns whether the input was accepted. `shown`: it writes the input to the error output.
using Case = std::function<bool(SplitMix& random, bool shown)>;
// The exit status: 1 if no input was accepted.
int run_cases(const Settings& settings, const Case& run);

// Ends the program.
[[noreturn]] void fail(const std::string& what);
// One line of up to 1,000 bytes.
void check_error(const std::string& text);

// ---- mutations

std::size_t below(SplitMix& random, std::size_t count);  // 0 if count is 0

// The pieces of a text that mutations move and replace.
struct Grammar {
  const char* borders;  // characters between words
  char line_end;        // ends a larger piece
  std::vector<std::string> words;
};
void mutate(std::string& text, const std::string& other, const Grammar& grammar, SplitMix& random);
// Bits, bytes, ranges and numbers.
void mutate_bytes(std::string& bytes, SplitMix& random);

}  // namespace rehearse::fuzz
