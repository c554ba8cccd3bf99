// SPDX-License-Identifier: MIT
//
// The machine of a run: platform, cost model, and the host of each rank.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/capture.hpp"
#include "app/compute_options.hpp"
#include "app/energy.hpp"
#include "app/file_system.hpp"
#include "app/model_flags.hpp"
#include "app/network_description.hpp"
#include "app/statistics.hpp"
#include "app/usage_meter.hpp"
#include "simcore/collective_schedule.hpp"
#include "simcore/cost_model.hpp"
#include "simcore/engine.hpp"
#include "simcore/message_protocol.hpp"
#include "simcore/platform.hpp"
#include "simcore/stop_token.hpp"
#include "simcore/support/result.hpp"
#include "smpi/process.hpp"

namespace rehearse::app {

struct MachineOptions {
  std::string on;  // empty: cluster:N, one rank per host
  ModelFlags models;
  std::string collectives;  // algorithms; empty: those of the platform, or generic
  MessageProtocolOptions protocol;
  std::string hostfile;  // empty: rank i on host i modulo the number of hosts
  std::string map;       // block, cyclic, random:SEED or a file; empty: as hostfile says (rank_map.hpp)
  NetworkChanges changes = {};
  std::string pcap;  // DIR[:REGEX] of captures of packets; empty: none
  StatisticsRequest statistics = {};
  StopToken stop;  // ends runs on the machine early
  ComputeOptions compute;
  FileSystemOptions files = {};
  bool energy = false;  // metered
  bool usage = false;   // likewise
};

struct Machine {
  Platform platform;
  ModelOptions models;       // of the cost model
  std::string network;       // its name
  MessageProtocol protocol;  // of options, platform and model
  std::string algorithms;    // of collectives, by name
  NetworkDescription description;
  std::unique_ptr<PacketCapture> capture;        // null: none; before the cost model, which uses it
  std::unique_ptr<PacketStatistics> statistics;  // likewise
  std::unique_ptr<CostModel> costs;              // refers to the platform, see make_machine
  std::vector<HostId> placement;                 // by rank; may be empty
  std::unique_ptr<CollectiveSchedules> collectives;
  std::optional<FileSystem> file_system = {};
  std::unique_ptr<EnergyMeter> energy = {};  // null: not wanted; observes the cost model
  std::unique_ptr<UsageMeter> usage = {};    // likewise
};

// On the heap, because the cost model refers to the platform, which must not move. The network is the model of a
// messaging library, `mpi`, unless the options or the platform name another one, the platform has parallel tasks, or
// the options ask for SimGrid's quirks.
Result<std::unique_ptr<Machine>> make_machine(const MachineOptions& options, std::uint32_t ranks);

// Places the actors behind the first ranks, for instance ranks that others start: on the hosts that follow in the order
// of the platform.
void place_started(Machine& machine, std::uint32_t actors);

// The protocol of a run without a policy on the machine.
void apply(const MessageProtocol& protocol, EngineOptions& options);

// The node of each rank: its host on the platform.
smpi::NodeMap nodes_of(const Machine& machine, std::uint32_t ranks);

// The cores for the threads of each rank: those of its host, shared equally by the ranks there; at least one.
std::vector<std::uint32_t> cores_of_ranks(const Machine& machine, std::uint32_t ranks);

}  // namespace rehearse::app
