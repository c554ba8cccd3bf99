// SPDX-License-Identifier: MIT
//
// See skeleton_inference.hpp.
#include <memory>
#include <utility>

#include "app/manynode/recorded_runs.hpp"
#include "app/manynode/skeleton_check.hpp"
#include "app/manynode/skeleton_writer.hpp"
#include "app/manynode_profile.hpp"
#include "app/skeleton_file.hpp"
#include "app/skeleton_inference.hpp"
#include "app/version.hpp"
#include "manynode/skeleton_inference.hpp"
#include "simcore/support/format.hpp"

namespace rehearse::app {
namespace {

Json about_of(const manynode::RecordedRuns& runs, const manynode::SkeletonInference& inference) {
  Json traces = Json::array();
  for (const manynode::RecordedRun& run : runs.runs) traces.push_back({{"file", run.file}, {"ranks", run.ranks}});
  Json about = {{"maker", "rehearse " + std::string(version)},
                {"traces", std::move(traces)},
                {"calls", inference.calls}};
  if (inference.held_back > 0) about["predicted_ranks"] = runs.runs.back().ranks;
  return about;
}

std::vector<std::string> advice(const manynode::RecordedRuns& runs, const manynode::SkeletonInference& inference) {
  std::vector<std::string> notes;
  bool has_any = false;
  for (const manynode::RecordedRun& run : runs.runs)
    for (const auto& calls : run.calls)
      for (const manynode::RecordedCall& call : calls)
        has_any |= call.kind == manynode::CallKind::receive && call[manynode::Slot::peer] == manynode::anyone;
  if (has_any && !inference.skeleton)
    notes.emplace_back("a receive takes a message from any rank; if it decides what the rank does next, no skeleton "
                       "can express that: write these operations with fixed peers");
  if (has_any && inference.skeleton)
    notes.emplace_back("a receive takes a message from any rank; in a sweep it is the message that comes first");
  if (!inference.skeleton)
    notes.emplace_back("where a size or a count depends on data, write an operation with a typical size by hand, in a "
                       "skeleton of the other operations (docs/many-node.md)");
  if (inference.skeleton && inference.held_back == 0)
    notes.emplace_back("no run was held back, so no prediction was checked; give three or more traces");
  return notes;
}

}  // namespace

Result<InferredSkeletonFile> infer_skeleton(const SkeletonRequest& request) {
  const auto runs = read_runs(request.traces);
  if (!runs) return runs.error();
  if (runs.value().runs.size() < 2)
    return Error{fmt::format("{}: one trace; accepted: two or more of the program, with different numbers of ranks",
                             request.traces.empty() ? "skeleton" : request.traces.front())};
  std::unique_ptr<manynode::Profile> profile;
  Json document;
  if (!request.profile.empty()) {
    auto read = read_profile(request.profile);
    if (!read) return read.error();
    profile = std::make_unique<manynode::Profile>(std::move(read.value()));
    document = to_json(*profile);
  }
  const manynode::SkeletonInference inference = manynode::infer_skeleton(runs.value(), request.holds_back);
  InferredSkeletonFile made;
  made.problems = inference.problems;
  made.notes = advice(runs.value(), inference);
  made.calls = inference.calls;
  made.predicted = inference.held_back;
  for (const manynode::RecordedRun& run : runs.value().runs) made.ranks.push_back(run.ranks);
  if (!inference.skeleton) return made;
  made.clusters = inference.skeleton->clusters.size();
  made.markers = inference.skeleton->markers.size();
  made.skeleton = to_json(*inference.skeleton, request.name, about_of(runs.value(), inference), document);
  auto skeleton = skeleton_from_json(made.skeleton, profile.get());
  if (!skeleton) return Error{"the inferred skeleton: " + skeleton.error().text};
  const auto shared = std::make_shared<const manynode::Skeleton>(std::move(skeleton.value()));
  for (const manynode::RecordedRun& run : runs.value().runs)
    if (auto difference = find_difference(shared, runs.value(), run)) {
      made.problems.push_back("the skeleton, executed: " + *difference);
      made.skeleton = Json();
      return made;
    }
  made.text = text_of_skeleton(made.skeleton);
  return made;
}

}  // namespace rehearse::app
