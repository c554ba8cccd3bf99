// SPDX-License-Identifier: MIT
//
// From numbers of places to words.
#include "cli/report/branching_text.hpp"

#include <algorithm>
#include <cmath>

#include "smpi/abi.hpp"
#include "smpi/process.hpp"

namespace rehearse::cli {
namespace {

constexpr std::size_t places_in_text = 3;
constexpr double least_share_in_text = 0.01;

// A place that is not in a call of MPI: a choice of the program's own, or of its operating system.
constexpr const char* no_call = "a choice of the program";

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::vector<BranchingPlace> branching_places(const smpi::LoadedProgram& program, const mc::Verdict& verdict) {
  std::vector<BranchingPlace> places;
  for (const mc::Branching& branching : verdict.branchings) {
    BranchingPlace& place = places.emplace_back();
    const smpi::CalledAt at = program.called_at(branching.site);
    place.call = at.function == 0 ? no_call : smpi::functions()[at.function - 1].name;
    place.of_any_source = branching.of_any_source;
    place.frame = at.frame;
    place.executions = branching.executions;
    place.share = static_cast<double>(branching.executions) / static_cast<double>(verdict.branched);
  }
  return places;
}

std::string branches_most(const std::vector<BranchingPlace>& places) {
  std::string text;
  for (std::size_t i = 0; i < std::min(places.size(), places_in_text); ++i) {
    const BranchingPlace& place = places[i];
    if (i > 0 && place.share < least_share_in_text) break;
    text += (text.empty() ? "; branches most: " : ", ") + place.call;
    if (place.of_any_source) text += " from any source";
    if (!place.frame.file.empty())
      text += " at " + file_name(place.frame.file) + ":" + std::to_string(place.frame.line);
    text += " (" + std::to_string(std::lround(place.share * 100)) + " %)";
  }
  return text;
}

Json to_json(const std::vector<BranchingPlace>& places) {
  Json all = Json::array();
  for (const BranchingPlace& place : places)
    all.push_back({{"call", place.call},
                   {"any_source", place.of_any_source},
                   {"file", place.frame.file},
                   {"line", place.frame.line},
                   {"function", place.frame.function},
                   {"executions", place.executions},
                   {"share", place.share}});
  return all;
}

}  // namespace rehearse::cli
