// SPDX-License-Identifier: MIT
//
// See doubts.hpp.
#include "smpi/file/doubts.hpp"

#include "smpi/per_rank.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

struct FileDoubts {
  std::string first;
};

}  // namespace

void doubt_content(const std::string& what) {
  report_outcomes_left_out(what);
  suspect_content(what);
}

void suspect_content(const std::string& what) {
  auto& doubts = per_rank<FileDoubts>();
  if (doubts.first.empty()) doubts.first = what;
}

std::string doubted_content() {
  const auto* doubts = find_per_rank<FileDoubts>();
  return doubts == nullptr ? "" : doubts->first;
}

}  // namespace rehearse::smpi
