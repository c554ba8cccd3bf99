// SPDX-License-Identifier: MIT
//
// Graphs without hierarchy.
//
// Errors: redraw: none of so many graphs was connected. More edges than a platform file may have links for.
#pragma once

#include "simcore/platform/generator/graph.hpp"
#include "simcore/platform_generator.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::platform {

// An edge becomes two links, of which a platform file may have 16 million.
constexpr std::uint64_t edges_max = 8'000'000;
Error too_many_edges();

bool is_flat(GeneratorOptions::Kind kind);
// The kinds whose edges depend on the places of their nodes, or are drawn for each pair.
bool has_places(GeneratorOptions::Kind kind);
std::uint32_t nodes_max(GeneratorOptions::Kind kind);

// A graph of this kind and size; alpha, beta, edges and the treatment of unconnected graphs are those of the options.
// With Unconnected::largest, the result may be unconnected. `needs_places`: also for kinds that have none.
Result<Graph> make_flat_graph(const GeneratorOptions& options, GeneratorOptions::Kind kind, std::uint32_t nodes,
                              bool needs_places, SplitMix& random);

}  // namespace rehearse::platform
