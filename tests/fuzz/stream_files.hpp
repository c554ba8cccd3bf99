// SPDX-License-Identifier: MIT
//
// Streams of the ranks of a real MPI (trace/pmpi/stream.h): valid ones that have every kind of record, and mutations.
#pragma once

#include <string>
#include <vector>

#include "simcore/support/random.hpp"

namespace rehearse::fuzz {

// The streams of one run, by rank.
using StreamFiles = std::vector<std::string>;

std::vector<StreamFiles> make_streams();

// Of the records of some ranks, whose heads say the new length; now and then of a head.
void mutate_streams(StreamFiles& files, SplitMix& random);

}  // namespace rehearse::fuzz
