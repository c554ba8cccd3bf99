// SPDX-License-Identifier: MIT
//
// The options --search and --seed of `rehearse check`.
//
// Errors: a value of another form, and a seed without a random search.
#pragma once

#include <string>

#include "app/cli/verb_options.hpp"
#include "mc/explore_options.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::cli {

struct SearchOption {
  std::string search = "depth-first";
  std::uint64_t seed = 1;
  bool can_predict = true;  // whether this program can have the search `predict`
};

void declare(OptionSet& app, SearchOption& options);
// Sets the kind of search of the strategy, and its walks, seed or deviations.
Result<void> read_search(const OptionSet& app, const SearchOption& options, mc::Strategy& strategy);

}  // namespace rehearse::cli
