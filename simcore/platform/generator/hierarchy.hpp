// SPDX-License-Identifier: MIT
//
// Graphs whose nodes are graphs.
//
// Places: a part of a whole lies in a square whose side is a tenth of that of the whole, at the place of the node that
// it
//         replaces, or beside which it lies.
// Source: Zegura, Calvert, Bhattacharjee, INFOCOM 1996. There, an edge between two nodes that are replaced joins a
//         random node of each of both graphs, and a graph that is not connected is drawn again.
#pragma once

#include "simcore/platform/generator/graph.hpp"
#include "simcore/platform_generator.hpp"
#include "simcore/support/random.hpp"

namespace rehearse::platform {

Result<Graph> make_n_level_graph(const GeneratorOptions& options, SplitMix& random);
Result<Graph> make_transit_stub_graph(const GeneratorOptions& options, SplitMix& random);

}  // namespace rehearse::platform
