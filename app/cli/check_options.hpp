// SPDX-License-Identifier: MIT
//
// The options of rehearse check.
//
// Errors: the option, the value and the accepted values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/check.hpp"
#include "app/cli/report/machine_formats.hpp"
#include "app/cli/search_option.hpp"
#include "app/cli/selection_options.hpp"
#include "app/cli/state_options.hpp"
#include "app/machine.hpp"
#include "mc/explore.hpp"
#include "properties/selection.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::cli {

struct CheckOptions {
  std::uint32_t ranks = 0;
  std::uint32_t most_ranks = 256;
  std::uint32_t failures = 0;
  std::string buffering = "all";
  std::string synchronisation = "both";
  std::string collectives;  // old name of `synchronisation`, or of the machine's algorithms
  std::string reduction = "matching";
  SearchOption search;
  mc::ExploreOptions explore;
  std::uint32_t jobs = 1;  // if not given: the number of processors, or 1 if distributed
  bool distributed = false;
  double distributed_wait = 60;  // seconds
  std::string counterexample = "rehearse-counterexample.json";
  double minimise_seconds = 2;
  std::string try_ranks;
  std::vector<std::uint32_t> fewer_ranks;  // of `try_ranks`
  std::string json;
  std::string page;
  MachineFormats formats;
  std::string save, resume, proof;
  bool needless_barriers = false;
  bool needed_buffering = false;
  bool separate_windows = false;
  bool merges_pages = false;
  std::vector<std::string> deterministic;
  app::MachineOptions machine;  // to predict times on
  std::optional<std::uint32_t> ranks_per_node;
  std::optional<double> time_bound;
  bool predicts() const { return time_bound || !machine.on.empty(); }
  SelectionOptions selected;
  StateOptions states;
  app::StateQuestions questions;    // of `states`
  properties::Selection selection;  // of `selected`
  bool quiet = false;
};

void declare(OptionSet& app, CheckOptions& options);

// Call it after parsing: evaluates combinations of options, and options with a syntax of their own.
Result<void> complete(CheckOptions& options, const OptionSet& app);

// The node of each rank, by --ranks-per-node, --hostfile or the platform of --on; otherwise all are on one.
Result<smpi::NodeMap> read_nodes(const CheckOptions& options, std::uint32_t ranks);

// The request of completed options. `program`: as the user wrote it.
app::CheckRequest request_of(const CheckOptions& options, app::Job job, const std::string& program);

}  // namespace rehearse::cli
