// SPDX-License-Identifier: MIT
//
// See stop_report.hpp.
#include "simcore/kernel/stop_report.hpp"

#include <link.h>

#include <array>

#include "simcore/debug.hpp"
#include "simcore/kernel/kernel.hpp"

namespace rehearse::sim::kernel {

std::vector<std::uint64_t> frames_of(Kernel& kernel, ActorRecord& actor) {
  if (actor.phase != ActorRecord::Phase::alive) return {};
  std::array<std::uintptr_t, remote::CrashNotice::frames_max> frames;
  std::size_t count = 0;
  kernel.scheduler().visit_stack(actor, [&] { count = capture_stack(frames); });
  return {frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::uint64_t base_address() {
  std::uint64_t base = 0;
  const auto take_first = [](dl_phdr_info* info, std::size_t, void* result) {
    *static_cast<std::uint64_t*>(result) = info->dlpi_addr;
    return 1;
  };
  dl_iterate_phdr(take_first, &base);
  return base;
}

remote::Stop make_stop(Kernel& kernel, const RunReport& report) {
  remote::Stop stop;
  stop.now = kernel.now();
  if (const auto& race = kernel.race())
    for (const VariableAccess* access : {&race->first, &race->second})
      stop.racing.push_back({access->actor, access->host, text_of(*access), access->frames});
  for (const FailedActor& actor : report.failed) stop.failed.push_back({actor.name, actor.host, actor.what, {}});
  for (ActorRecord* actor : kernel.actors().living())
    if (!actor->daemon && !actor->is_far)
      stop.blocked.push_back(
          {actor->name, kernel.host_name(actor->host), kernel.describe(*actor), frames_of(kernel, *actor)});
  return stop;
}

}  // namespace rehearse::sim::kernel
