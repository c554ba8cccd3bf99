// SPDX-License-Identifier: MIT
//
// The machine that a verb runs a program on: platform, cost model and which rank goes where.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/compute_options.hpp"
#include "cli/model_flags.hpp"
#include "simcore/collective_schedule.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/platform.hpp"
#include "simcore/support/result.hpp"
#include "smpi/process.hpp"

namespace CLI {
class App;
}

namespace rehearse::cli {

struct MachineOptions {
  std::string on;        // empty: cluster:N, one rank a host
  ModelFlags models;
  std::string collectives = "generic";
  std::string hostfile;  // empty: rank i on host i modulo the number of hosts
  ComputeOptions compute;
};

void declare(CLI::App& app, MachineOptions& options);
void declare_platform(CLI::App& app, MachineOptions& options);  // all but algorithms of collectives and computation
// Algorithms of collectives alone, under these names.
void declare_algorithms(CLI::App& app, const std::string& names, MachineOptions& options);

// Whether the word says how members of a collective synchronise (for `check`), not which algorithms it takes.
bool is_synchronisation(std::string_view word);

struct Machine {
  Platform platform;
  ModelOptions models;               // of the cost model
  std::string network;               // its name
  std::unique_ptr<CostModel> costs;  // refers to the platform, see make_machine
  std::vector<HostId> placement;     // by rank; may be empty
  std::unique_ptr<CollectiveSchedules> collectives;
};

// On the heap: the cost model refers to the platform, which must not move.
Result<std::unique_ptr<Machine>> make_machine(const MachineOptions& options, std::uint32_t ranks);

// Which node each rank is on: the hosts of the platform.
smpi::NodeMap nodes_of(const Machine& machine, std::uint32_t ranks);

}  // namespace rehearse::cli
