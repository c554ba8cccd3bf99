// SPDX-License-Identifier: MIT
//
// See search_option.hpp.
#include "app/cli/search_option.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace rehearse::cli {
namespace {

constexpr const char* seed_needs_random = "--seed needs a random search (--search random:N)";

template <class Number>
bool is_whole(std::string_view text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end;
}

}  // namespace

void declare(OptionSet& app, SearchOption& options) {
  std::string help =
      "order of the search: depth-first (all executions), random:N (N random executions), bounded:K (executions with "
      "at most K deviations from the first choice)";
  if (options.can_predict)
    help += ", predict (one execution, and those with other matches of the same calls that a solver finds to end in an "
            "error)";
  app.add_option("--search", options.search, help);
  app.add_option("--seed", options.seed, "seed of a random search (default 1)")->check(whole_number(0, UINT64_MAX));
}

Result<void> read_search(const OptionSet& app, const SearchOption& options, mc::Strategy& strategy) {
  const bool has_seed = app.count("--seed") > 0;
  if (options.search == "depth-first") return has_seed ? Error{seed_needs_random} : Result<void>();
  const std::string_view text = options.search;
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view kind = text.substr(0, colon), count = text.substr(std::min(colon + 1, text.size()));
  const bool is_random = kind == "random" && is_whole(count, strategy.walks) && strategy.walks > 0;
  const bool is_bounded = kind == "bounded" && is_whole(count, strategy.deviations);
  const bool is_predicting = options.can_predict && text == "predict";
  if (!is_random && !is_bounded && !is_predicting)
    return Error{"--search: '" + options.search + "', expected depth-first, " +
                 (options.can_predict ? "predict, " : "") +
                 "random:N, N executions (1 or more), or bounded:K, K decisions (0 or more)"};
  if (!is_random && has_seed) return Error{seed_needs_random};
  strategy.search = is_random ? mc::Search::random : is_bounded ? mc::Search::bounded : mc::Search::predict;
  strategy.seed = options.seed;
  return {};
}

}  // namespace rehearse::cli
