// SPDX-License-Identifier: MIT
//
// The skeleton of a program from its recorded calls at a few numbers of ranks.
//
// Method:  the calls of a rank are folded into loops. Ranks with the same shape are a class. Each number of a call
//          (peer, size, tag...) and each count becomes an expression of the rank, the number of ranks and counters, if
//          one gives the value of every call. A condition selects the ranks of each class.
// Promise: a skeleton reproduces every call of every run, in the order of each rank, with all numbers that it has. So
//          the messages are the same: source, destination, size, tag, and their order per pair. Not part of it are the
//          room of a receive and the number of elements, where no expression gives them.
// Source:  the shape as in J. Wei, F. Mueller et al., ScalaTrace; classes and expressions are our own.
// Threads: none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "manynode/recorded_calls.hpp"

namespace rehearse::manynode {

// An operation of a skeleton as its keys and values, in their order.
struct OperationText {
  std::vector<std::pair<std::string, std::string>> fields;
  std::vector<OperationText> body;       // of a loop or a branch
  std::vector<OperationText> otherwise;  // of a branch
};

struct MarkerText {
  std::string id;
  std::vector<std::pair<std::size_t, double>> seconds;  // by cluster: the mean
};

struct SkeletonText {
  std::vector<std::pair<std::string, std::string>> names;          // name and meaning
  std::vector<std::pair<std::string, std::string>> communicators;  // name and colour
  std::vector<std::string> clusters;                               // conditions; the last one may be "all"
  std::vector<MarkerText> markers;
  std::vector<OperationText> body;
};

// The outcome for the runs, and for those that were held back.
struct SkeletonInference {
  std::optional<SkeletonText> skeleton;
  std::vector<std::string> problems;  // why there is none, or which calls of a held-back run differ
  std::vector<std::string> notes;
  std::uint64_t calls = 0;      // of all runs
  std::uint64_t held_back = 0;  // calls of the run that was predicted; 0: none
};

// The last run is held back if there are at least three and `holds_back` is set.
SkeletonInference infer_skeleton(const RecordedRuns& runs, bool holds_back);

}  // namespace rehearse::manynode
