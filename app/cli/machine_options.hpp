// SPDX-License-Identifier: MIT
//
// Options for the machine of a run, and for the cost of computation on it.
#pragma once

#include <string>

#include "app/machine.hpp"

namespace rehearse::cli {

class OptionSet;

// `samples`: --compute sampled is possible.
void declare(OptionSet& parser, app::MachineOptions& options, bool samples = false);
// All except algorithms of collectives and computation.
void declare_platform(OptionSet& parser, app::MachineOptions& options);
// Only algorithms of collectives, under these names.
void declare_algorithms(OptionSet& parser, const std::string& names, app::MachineOptions& options);

void declare(OptionSet& parser, app::ModelFlags& flags);

// --statistics and --series.
void declare_statistics(OptionSet& parser, app::StatisticsRequest& request);

// --scale-latency, --scale-bandwidth and --contention: a network that is another one than the platform's.
void declare_network_changes(OptionSet& parser, NetworkChanges& changes);

// --file-system and --stripe-bytes.
void declare_file_system(OptionSet& parser, app::FileSystemOptions& options);

// --energy.
void declare_energy(OptionSet& parser, bool& energy);

// --pcap.
void declare_capture(OptionSet& parser, std::string& pcap);

// Sets `measured`, the default.
void declare(OptionSet& parser, app::ComputeOptions& options, bool samples = false);

// The first of its options that the user gave; empty: none.
std::string given_compute_option(const OptionSet& parser);

}  // namespace rehearse::cli
