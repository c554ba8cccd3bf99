// SPDX-License-Identifier: MIT
//
// Does the exploration visit exactly the classes of brute force? Under every policy, with every naming of the actors
// (which the scheduler's rule depends on), divided as processes that explore together do it, by such processes, and by
// orders of steps instead of matches.
//
// Errors: the first difference is printed with its program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mc/explore.hpp"

namespace rehearse::tests {

// Of which programs it is done: every n-th; 0: of none.
struct Samples {
  std::uint64_t names = 0;  // all names of the actors
  std::uint64_t parts = 0;  // in the smallest parts, and in parts by chance
  std::uint64_t jobs = 0;   // 2, 3 and 4 processes
  std::uint64_t odpor = 0;
};

// Of larger programs brute force takes too long, and is not asked.
constexpr std::uint64_t most_executions = 2000;

mc::Verdict explored(const std::string& litmus, mc::Reduction reduction, const Policy& policy,
                     std::uint64_t max_executions = most_executions);

// All that differ; and those of them that differ where there are no collectives, and all messages have the size
// of one number, which is eager under `eager:4`.
extern const std::vector<Policy> all_policies, policies_of_equal_messages;

class Comparison {
 public:
  Comparison(const Samples& samples, const std::vector<Policy>& policies) : samples_(samples), policies_(policies) {}

  // False: there is a difference.
  bool add(const std::string& litmus);

  void print(const char* what) const;

 private:
  enum class Answer { same, different, too_large };

  Answer compare_under(const std::string& litmus, const Policy& policy);
  bool compare_names(const std::string& litmus);
  bool compare_parts(const std::string& litmus);
  bool compare_jobs(const std::string& litmus);
  bool is_turn(std::uint64_t every) const { return every != 0 && programs_ % every == 0; }

  Samples samples_;
  const std::vector<Policy>& policies_;
  std::uint64_t programs_ = 0, too_large_ = 0, pairs_ = 0, classes_ = 0, renamings_ = 0, parts_ = 0, divided_ = 0,
                ordered_ = 0;
};

}  // namespace rehearse::tests
