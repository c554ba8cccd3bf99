// SPDX-License-Identifier: MIT
//
// A job: the launched programs, the number of ranks of each, and their nodes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "smpi/process.hpp"

namespace rehearse::app {

struct Job {
  struct Further {
    std::uint32_t first_rank = 0;
    std::string path;
    std::vector<std::string> arguments;
    bool operator==(const Further&) const = default;
  };

  std::string path;  // of the first program
  std::vector<std::string> arguments;
  std::uint32_t ranks = 0;      // of all programs together, at the start
  std::vector<Further> others;  // by ascending first rank
  smpi::BufferChecks buffers = {};
  smpi::NodeMap nodes = {};
  smpi::CancelSearch cancels = {};
  smpi::FailurePlan failures = {};
  // What ranks share through windows (smpi/window_model.hpp); empty: accesses in epochs of locks are not explored.
  std::vector<std::string> window_objects = {};
  smpi::StartSettings starts = {};
  bool has_disks = false;           // accesses to files take time
  bool threads_wait_apart = false;  // while a thread of a rank waits in MPI, its others go on
  std::int64_t date_seconds = smpi::default_date_seconds;
  smpi::Sampling* sampling = nullptr;  // null: all code runs; must outlive the loaded program
  std::vector<smpi::SampledFunction> sampled_functions = {};
  smpi::VolumeRates rates = {};
  smpi::Folding* folding = nullptr;      // null: ranks share no memory; must outlive the loaded program
  smpi::PageMerging* merging = nullptr;  // null: equal pages are not merged; must outlive the loaded program
};

// The ranks of the job, with those that others start, or may start.
std::uint32_t all_ranks(const Job& job);

// The map of ranks that are on the nodes of these names, by rank.
smpi::NodeMap nodes_of(const std::vector<std::string>& names);

}  // namespace rehearse::app
