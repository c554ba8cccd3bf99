// SPDX-License-Identifier: MIT
//
// See thread_use.hpp.
#include "smpi/request/thread_use.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "simcore/support/format.hpp"
#include "smpi/creation_site.hpp"
#include "smpi/error.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/process/rank_threads.hpp"
#include "smpi/process/thread_waits.hpp"
#include "smpi/report.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {
namespace {

struct RunningCollectives {
  std::map<const Communicator*, ThreadUse> of;
};

bool can_meet() { return threads_wait_apart() && has_threads(); }

ThreadNumber running_number() { return per_rank<RankThreads>().running; }

bool is_waited(const Request& request) {
  return request.extra && request.extra->waited_by && request.extra->waited_by->thread != running_number();
}

bool is_any_waited(std::span<const MPI_Request> handles) {
  return std::ranges::any_of(handles, [](MPI_Request handle) {
    const Request* request = find_request(handle);
    return request != nullptr && is_waited(*request);
  });
}

ThreadUse use_of_running() { return {running_number(), creation_site()}; }

[[noreturn]] void refuse(std::string_view id, const ThreadUse& other, const std::string& what) {
  misuse(id, fmt::format("thread {} calls it while thread {} is in {}, with the same {}", running_number(),
                         other.thread, text_of(other.call), what));
}

}  // namespace

void check_thread_use(const Request& request) {
  if (!is_waited(request)) return;
  if (request.extra->waited_by->kind == ThreadUse::Kind::flush)
    unsupported(std::string(creation_site().function) + " for an access whose window another thread flushes");
  if (request.extra->waited_by->kind == ThreadUse::Kind::poll) refuse_if_waited(request);
  refuse("thread.request", *request.extra->waited_by, "request");
}

void refuse_if_waited(const Request& request) {
  if (is_waited(request))
    unsupported(std::string(creation_site().function) +
                " for a request for which another thread waits, or which it tests");
}

void refuse_unless_polled(const Request& request) {
  if (!is_waited(request) || request.extra->waited_by->kind != ThreadUse::Kind::poll) refuse_if_waited(request);
}

WaitingUse::WaitingUse(std::span<MPI_Request> handles, ThreadUse::Kind kind)
    : handles_(handles), is_noted_(can_meet()) {
  if (is_noted_ && kind == ThreadUse::Kind::poll && is_any_waited(handles_)) is_noted_ = false;
  if (!is_noted_) return;
  ThreadUse use = use_of_running();
  use.kind = kind;
  set(use);
}

WaitingUse::~WaitingUse() {
  if (is_noted_) set({});
}

void WaitingUse::set(const std::optional<ThreadUse>& use) {
  for (const MPI_Request handle : handles_)
    if (Request* request = find_request(handle)) request->more().waited_by = use;
}

CollectiveUse::CollectiveUse(const Communicator& communicator) {
  if (!can_meet()) return;
  auto& running = per_rank<RunningCollectives>().of;
  const auto [known, is_first] = running.try_emplace(&communicator, use_of_running());
  if (is_first) noted_ = &communicator;
  else if (known->second.thread != running_number()) refuse("thread.collective", known->second, "communicator");
}

CollectiveUse::~CollectiveUse() {
  if (noted_ != nullptr) per_rank<RunningCollectives>().of.erase(noted_);
}

}  // namespace rehearse::smpi
