// SPDX-License-Identifier: MIT
//
// Decisions as sentences: calls, places and ranks instead of numbers of requests.
#pragma once

#include <string>
#include <vector>

#include "mc/investigate.hpp"

namespace rehearse::app {

// "rank 0: MPI_Recv from any source at worker.c:41 takes the message that rank 2 sent by MPI_Send at worker.c:60"
std::string text_of(const mc::Decision& decision);

// "MPI_Recv from any source at worker.c:41 on rank 0 took the message that rank 2 sent ...; the run ends well if it
// takes ..."
std::string text_of(const mc::Explanation::Critical& critical);

// The steps of ranks, one line for each sequence of equal calls of one rank.
std::vector<std::string> lines_of(const std::vector<mc::StoryStep>& story);

}  // namespace rehearse::app
