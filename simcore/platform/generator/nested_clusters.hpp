// SPDX-License-Identifier: MIT
//
// Clusters of clusters: the parts of a level are connected by a hub, those of the last level are flat clusters.
#pragma once

#include "simcore/platform/generator/writer.hpp"

namespace rehearse::platform {

// Writes the platform of options.sizes.
void write_nested_clusters(GeneratedText& text, const GeneratorOptions& options, SplitMix& random);

}  // namespace rehearse::platform
