// SPDX-License-Identifier: MIT
//
// The skeleton of a program from its traces, for `rehearse skeleton` and for C++ programs.
//
// Runs:    traces of one program with different numbers of ranks, in any format of calls. With three or more, the
//          largest is held back: the skeleton is made of the others and must predict it.
// Output:  a document as skeleton_from_json() reads it. Markers have the mean time that the traces have, or those of a
//          profile.
// Check:   the document is read again and executed at every recorded number of ranks. Its calls must be those of the
//          traces.
// Errors:  of a trace: file, place and rank. A program that no skeleton expresses is no error: see `problems`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/json.hpp"
#include "simcore/support/result.hpp"

namespace rehearse::app {

struct SkeletonRequest {
  std::vector<std::string> traces;
  std::string profile;     // file; empty: none
  std::string name;        // of the skeleton
  bool holds_back = true;  // the largest run, if there are at least three
};

struct InferredSkeletonFile {
  Json skeleton;                      // null: there is none
  std::string text;                   // of its file: an operation on each line
  std::vector<std::string> problems;  // the calls that no skeleton expresses, or that it predicts otherwise
  std::vector<std::string> notes;     // what the user can do
  std::vector<std::uint32_t> ranks;   // of the runs, ascending
  std::uint64_t calls = 0;            // of all runs
  std::uint64_t predicted = 0;        // calls of the run that was held back; 0: none was
  std::size_t clusters = 0, markers = 0;
};

Result<InferredSkeletonFile> infer_skeleton(const SkeletonRequest& request);

}  // namespace rehearse::app
