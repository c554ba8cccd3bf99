// SPDX-License-Identifier: MIT
//
// Receives of a cluster that nothing distinguishes but their order: the same pattern, segment, wait and buffer.
//
// Only the number of messages that a group takes matters, and which; so n! matches are one. That is what makes a fan-in
// cheap.
// Source: the multi-receives of Forejt, Joshi, Kroening, Narayanaswamy, Sharma, "Precise Predictive Analysis for
//         Discovering Communication Deadlocks ...", TOPLAS 39(4), 2017.
#pragma once

#include <vector>

#include "mc/predict/clusters.hpp"
#include "mc/predict/course.hpp"

namespace rehearse::mc::predict {

struct Group {
  std::vector<Index> receives;  // in posting order; not empty
  Index wait = none;            // the first wait that needs them; none: they are not waited for
};

// In posting order. `splits`: each receive is a group.
std::vector<Group> groups_of(const Course& course, const Cluster& cluster, bool splits = false);

}  // namespace rehearse::mc::predict
