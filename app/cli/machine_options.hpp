// SPDX-License-Identifier: MIT
//
// Options for the machine of a run, and for the cost of computation on it.
#pragma once

#include <string>

#include "app/machine.hpp"

namespace CLI {
class App;
}

namespace rehearse::cli {

void declare(CLI::App& parser, app::MachineOptions& options);
void declare_platform(CLI::App& parser,
                      app::MachineOptions& options);  // all but algorithms of collectives and computation
// Algorithms of collectives alone, under these names.
void declare_algorithms(CLI::App& parser, const std::string& names, app::MachineOptions& options);

void declare(CLI::App& parser, app::ModelFlags& flags);

// Sets `measured`, which is what holds where the user says nothing.
void declare(CLI::App& parser, app::ComputeOptions& options);

// The first of its options that the user gave; empty: none.
std::string given_compute_option(const CLI::App& parser);

}  // namespace rehearse::cli
