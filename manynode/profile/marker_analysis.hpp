// SPDX-License-Identifier: MIT
//
// The modes, order, common effects and drift of one marker in one cluster of ranks.
//
// Threads: none.
#pragma once

#include <vector>

#include "manynode/analysis.hpp"

namespace rehearse::manynode {

// Requires at least one execution in each series. The id and the cluster are those of the caller.
MarkerProfile analyse_marker(const std::vector<const Series*>& series, const AnalysisOptions& options);

}  // namespace rehearse::manynode
