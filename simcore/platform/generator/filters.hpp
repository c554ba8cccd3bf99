// SPDX-License-Identifier: MIT
//
// Removes nodes of drawn graphs.
#pragma once

#include "simcore/platform/generator/graph.hpp"
#include "simcore/platform_generator.hpp"

namespace rehearse::platform {

// As long as a node has a greater degree, removes that of the greatest degree. Then removes nodes of lower degrees as
// long as there are some. Of the rest, returns the largest component, whose nodes keep their degrees. It may be empty.
Graph with_degrees(const Graph& graph, DegreeRange degrees);

}  // namespace rehearse::platform
