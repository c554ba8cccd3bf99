// SPDX-License-Identifier: MIT
//
// See started_options.hpp.
#include "app/cli/started_options.hpp"

#include "app/cli/verb_options.hpp"
#include "app/launch.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::cli {

void declare_most_ranks(OptionSet& app, std::uint32_t& most_ranks) {
  app.add_option(
         "--max-ranks", most_ranks,
         fmt::format("ranks that may exist if ranks start others (MPI_Comm_spawn); a program that starts more is "
                     "inconclusive (default {})",
                     most_ranks))
      ->check(whole_number(1, app::ranks_max));
}

}  // namespace rehearse::cli
