// SPDX-License-Identifier: MIT
//
// The default request of a check.
#include <sched.h>
#include <unistd.h>

#include <algorithm>

#include "app/check.hpp"
#include "app/policies.hpp"
#include "app/selected_checks.hpp"
#include "simcore/support/assert.hpp"

namespace rehearse::app {
namespace {

constexpr double step_seconds = 60;

std::uint64_t physical_bytes() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

mc::Bounds default_bounds() {
  mc::Bounds bounds;
  bounds.max_step_seconds = step_seconds;
  bounds.max_bytes = physical_bytes() / 4 * 3;
  return bounds;
}

std::uint32_t default_jobs() {
  cpu_set_t set;  // that this process may run on
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<std::uint32_t>(std::clamp(CPU_COUNT(&set), 1, static_cast<int>(mc::jobs_max)));
}

CheckRequest default_request(const std::string& program, std::uint32_t ranks,
                             const std::vector<std::string>& arguments) {
  CheckRequest request;
  request.job.path = program;
  request.job.arguments = arguments;
  request.job.ranks = ranks;
  request.job.buffers = buffer_checks(request.selection);
  auto policies = make_policies("all", "both");
  REHEARSE_ASSERT(bool(policies), "policies that every check has");
  request.semantics.policies = std::move(policies.value());
  request.strategy.jobs = default_jobs();
  request.strategy.apart = true;
  request.bounds = default_bounds();
  return request;
}

}  // namespace rehearse::app
