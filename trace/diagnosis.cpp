// SPDX-License-Identifier: MIT
//
// See diagnosis.hpp.
#include "trace/diagnosis.hpp"

#include <limits>
#include <utility>
#include <variant>

#include "simcore/support/format.hpp"

namespace rehearse::trace {

namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

}  // namespace

Location Diagnosis::location(const Place& place, std::string what) const {
  Location location;
  location.actor = {rank_};
  location.call = place.text;
  location.file = place.file;
  location.line = static_cast<int>(place.line);
  location.what = std::move(what);
  return location;
}

Finding Diagnosis::truncated(const Completion& message, const Open& receive) const {
  Finding finding;
  finding.id = FindingId("message.truncated");
  finding.message = fmt::format("rank {} receives a message of {} bytes from rank {} with tag {}, and its receive "
                                "takes {} bytes",
                                rank_, message.data.size(), message.source.value, message.tag, receive.capacity_bytes);
  finding.actors = {{rank_}, message.source};
  finding.locations = {location(receive.place, fmt::format("takes {} bytes", receive.capacity_bytes))};
  return finding;
}

Finding Diagnosis::left_open(const Open& request) const {
  Finding finding;
  finding.id = FindingId("resource.request");
  finding.severity = Severity::warning;
  finding.message = fmt::format("rank {} never completes a nonblocking operation", rank_);
  finding.actors = {{rank_}};
  finding.locations = {location(request.place, "starts an operation that no later action completes")};
  return finding;
}

std::vector<Finding> Diagnosis::on_answer(const Operation& operation, const Observation& answer, const Place& at,
                                          bool is_at_end) {
  std::vector<Finding> findings;
  if (const auto* receive = std::get_if<Post>(&operation)) {
    const Open open{at, receive->capacity_bytes};
    if (!receive->blocking) open_.emplace(receive->request.value, open);
    else if (!answer.completions.empty() && answer.completions.front().data.size() > receive->capacity_bytes)
      findings.push_back(truncated(answer.completions.front(), open));
  } else if (const auto* send = std::get_if<Send>(&operation)) {
    if (!send->blocking) open_.emplace(send->request.value, Open{at, no_limit});
  } else if (const auto* collective = std::get_if<Collective>(&operation)) {
    if (!collective->blocking) open_.emplace(collective->request.value, Open{at, no_limit});
  } else if (const auto* observe = std::get_if<Observe>(&operation)) {
    for (const Completion& completion : answer.completions) {
      const auto open = open_.find(observe->requests[completion.index].value);
      if (open == open_.end()) continue;
      if (completion.data.size() > open->second.capacity_bytes) findings.push_back(truncated(completion, open->second));
      else if (is_at_end) findings.push_back(left_open(open->second));
      open_.erase(open);
    }
  }
  return findings;
}

}  // namespace rehearse::trace
