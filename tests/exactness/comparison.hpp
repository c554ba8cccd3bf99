// SPDX-License-Identifier: MIT
//
// Does the exploration visit exactly the classes of brute force? Under every policy, with every naming of the actors
// (which the scheduler's rule depends on), with several processes, and by orders of steps instead of matches.
//
// Errors: the first difference is printed with its program.
#pragma once

#include <cstdint>
#include <string>

#include "mc/explore.hpp"

namespace rehearse::tests {

// Of which programs it is done: every n-th; 0: of none.
struct Samples {
  std::uint64_t names = 0;  // all names of the actors
  std::uint64_t jobs = 0;   // 2, 3 and 4 processes
  std::uint64_t odpor = 0;
};

// Of larger programs brute force takes too long, and is not asked.
constexpr std::uint64_t most_executions = 2000;

mc::Verdict explored(const std::string& litmus, mc::Reduction reduction, const mc::Policy& policy,
                     std::uint64_t max_executions = most_executions);

class Comparison {
 public:
  explicit Comparison(const Samples& samples) : samples_(samples) {}

  // False: there is a difference.
  bool add(const std::string& litmus);

  void print(const char* what) const;

 private:
  enum class Answer { same, different, too_large };

  Answer compare_under(const std::string& litmus, const mc::Policy& policy);
  bool compare_names(const std::string& litmus);
  bool compare_jobs(const std::string& litmus);
  bool is_turn(std::uint64_t every) const { return every != 0 && programs_ % every == 0; }

  Samples samples_;
  std::uint64_t programs_ = 0, too_large_ = 0, pairs_ = 0, classes_ = 0, renamings_ = 0, divided_ = 0, ordered_ = 0;
};

}  // namespace rehearse::tests
