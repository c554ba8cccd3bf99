// SPDX-License-Identifier: MIT
//
// See goal_options.hpp.
#include "app/cli/goal_options.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "app/cli/verb_options.hpp"

namespace rehearse::cli {
namespace {

// Those of trace/goal_conversion.hpp, by their names in `rehearse list algorithms`.
constexpr std::array goal_algorithms = {
    "barrier=dissemination",
    "broadcast=binomial",
    "broadcast=linear",
    "reduce=binomial",
    "reduce=linear",
    "allreduce=recursive_doubling",
    "gather=linear_nonblocking",
    "gatherv=linear_nonblocking",
    "scatter=linear_nonblocking",
    "scatterv=linear_nonblocking",
    "allgather=ring",
    "allgatherv=ring",
    "alltoall=pairwise",
    "alltoallv=pairwise",
    "reduce_scatter=pairwise",
    "scan=linear",
    "exscan=linear",
};

}  // namespace

void declare(OptionSet& app, trace::GoalConversion& conversion) {
  app.add_option("--speed", conversion.flops_per_second,
                 "speed of every host in flop/s, for traces with volumes in flops in GOAL or with --network loggops")
      ->check(positive_number());
}

void declare(OptionSet& app, trace::Wildcards& wildcards) {
  app.add_option_function(
         "--wildcards",
         [&wildcards](const std::string& word) {
           wildcards = word == "free" ? trace::Wildcards::free : trace::Wildcards::recorded;
           return std::string();
         },
         "message of a receive with a wildcard, in a recording: recorded (default, the one that it took) or free (the "
         "first that comes)")
      ->check(one_of({"recorded", "free"}));
}

Result<void> set_algorithms(const std::string& words, trace::GoalConversion& conversion) {
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find(',', at), words.size());
    const std::string word = words.substr(at, end - at);
    at = end + 1;
    if (std::ranges::find(goal_algorithms, std::string_view(word)) == goal_algorithms.end()) {
      std::string all;
      for (const std::string_view each : goal_algorithms) all += (all.empty() ? "" : ", ") + std::string(each);
      return Error{"--collective-algorithms: '" + word + "' is none of the algorithms for GOAL: " + all};
    }
    if (word.starts_with("broadcast=")) conversion.has_linear_broadcast = word == "broadcast=linear";
    if (word.starts_with("reduce=")) conversion.has_linear_reduce = word == "reduce=linear";
  }
  return {};
}

}  // namespace rehearse::cli
