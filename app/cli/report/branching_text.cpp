// SPDX-License-Identifier: MIT
//
// Writes places as text and as JSON.
#include "app/cli/report/branching_text.hpp"

#include <algorithm>
#include <cmath>

#include "simcore/support/format.hpp"

namespace rehearse::cli {
namespace {

constexpr std::size_t places_in_text = 3;
constexpr double least_share_in_text = 0.01;

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::string branches_most(const std::vector<app::BranchingPlace>& places) {
  std::string text;
  for (std::size_t i = 0; i < std::min(places.size(), places_in_text); ++i) {
    const app::BranchingPlace& place = places[i];
    if (i > 0 && place.share < least_share_in_text) break;
    text += (text.empty() ? "; branches most: " : ", ") + place.call;
    if (place.of_any_source) text += " from any source";
    if (!place.frame.file.empty()) text += fmt::format(" at {}:{}", file_name(place.frame.file), place.frame.line);
    text += fmt::format(" ({} %)", std::lround(place.share * 100));
  }
  return text;
}

app::Json to_json(const std::vector<app::BranchingPlace>& places) {
  app::Json all = app::Json::array();
  for (const app::BranchingPlace& place : places)
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
