// SPDX-License-Identifier: MIT
//
// See disagreement.hpp.
#include "smpi/collective/disagreement.hpp"

#include <algorithm>

#include "simcore/support/format.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {

void report_disagreement(const Disagreement& disagreement) {
  if (!disagreement) return;
  std::vector<ReportedPlace> others;
  std::string what = disagreement.what;
  if (disagreement.site.function[0] != '\0') {
    what += "; the other calls " + text_of(disagreement.site);
    others.push_back({disagreement.site, "differs here", disagreement.other});
  }
  report_places(disagreement.id, what, {{}, "participates here"}, others);
}

std::string list_text(const std::vector<int>& numbers) {
  static constexpr std::size_t max_shown = 12;
  if (numbers.empty()) return "none";
  const std::size_t shown = std::min(max_shown, numbers.size());
  std::string text = std::to_string(numbers[0]);
  for (std::size_t i = 1; i < shown; ++i)
    text += fmt::format("{}{}", i + 1 == numbers.size() ? " and " : ", ", numbers[i]);
  return shown == numbers.size() ? text : fmt::format("{}... ({} in all)", text, numbers.size());
}

}  // namespace rehearse::smpi
