// SPDX-License-Identifier: MIT
//
// See unstarted.hpp.
#include "smpi/request/unstarted.hpp"

#include <optional>
#include <string>

#include "smpi/creation_site.hpp"
#include "smpi/report.hpp"

namespace rehearse::smpi {
namespace {

bool was_waited_for(const Request& request) { return request.extra && request.extra->waited.function[0] != '\0'; }

// The receiver or the sender of the request's message.
std::optional<ActorId> peer_of(const Request& request) {
  const bool is_message = request.kind == Request::Kind::send || request.kind == Request::Kind::receive;
  if (!is_message || request.transfer.peer < 0) return {};
  return request.communicator->peer(request.transfer.peer);
}

ProvisionalReport wait_before_start(const Request& request, MPI_Request handle) {
  const CreationSite& waited = request.extra->waited;
  return {"request.inactive",
          "waits, in " + text_of(waited) + ", for the persistent request of " + text_of(requests().site(handle)) +
              ", which was never started",
          {waited, "waits for it here"},
          peer_of(request)};
}

}  // namespace

void note_wait_before_start(Request& request, MPI_Request handle) {
  if (request.started || !request.persistent || was_waited_for(request)) return;
  request.more().waited = creation_site();
  if (was_waited_for(request)) report_provisionally(wait_before_start(request, handle));
}

void note_start(const Request& request, MPI_Request handle) {
  if (!request.started && was_waited_for(request)) withdraw_report(wait_before_start(request, handle));
}

void report_never_started(const Request& request) {
  if (request.started || !was_waited_for(request)) return;
  report_at("request.inactive", Severity::warning, "waits for a persistent request that is never started",
            {{request.extra->waited, "waits for it here"}});
}

}  // namespace rehearse::smpi
