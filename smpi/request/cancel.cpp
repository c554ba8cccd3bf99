// SPDX-License-Identifier: MIT
//
// Cancellation. A receive is cancelled unless it has its message. A send completes immediately, so no later wait for it
// blocks (MPI 4.1, 3.8.4: such a wait is local). Its message can still be received. If no rank receives it, the send
// was cancelled. If a rank receives it, the send was not cancelled, and the other outcome is left out. withheld.hpp
// explores both outcomes.
#include "simcore/actor.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/error.hpp"
#include "smpi/report.hpp"
#include "smpi/request/request.hpp"
#include "smpi/request/withheld.hpp"
#include "smpi/wrong_handle.hpp"

namespace rehearse::smpi {
namespace {

void cancel_receive(Request& request) {
  const Observation& answer = ask(Observe{{&request.id, 1}, Quantifier::all, false, true});
  if (answer.flag) {
    complete_request(request, answer.completions[0]);
    return;
  }
  end_uses(request);
  request.state = Request::State::complete;
  request.ending = {};
  request.ending.cancelled = true;
}

void cancel_send(Request& request) {
  if (cancel_explored(request)) return;
  end_uses(request);
  report_unwanted_send(request.id);
  ask(Release{request.id});
  request.state = Request::State::complete;
  request.ending = {};
  request.ending.may_be_cancelled = true;
}

int cancel_generalized(Request& request) {
  const Generalized functions = request.extra->generalized;
  if (functions.cancel == nullptr) return MPI_SUCCESS;
  const int code = functions.cancel(functions.extra_state, request.state == Request::State::complete ? 1 : 0);
  if (code == MPI_SUCCESS) return MPI_SUCCESS;
  return error(code, "the cancel function of a generalized request failed");
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Cancel(MPI_Request* request) {
  Arguments check;
  check.pointer(request, "request");
  if (check.failed()) return check.error();
  Request* found = find_request(*request);
  if (found == nullptr) check.require(false, MPI_ERR_REQUEST, wrong_handle(Kind::request, *request));
  if (check.failed()) return check.error();
  if (found->kind == Request::Kind::generalized) return cancel_generalized(*found);
  refuse_if_waited(*found);
  const bool message = found->kind == Request::Kind::send || found->kind == Request::Kind::receive;
  if (!message || found->state == Request::State::inactive)
    return error_on(found->communicator->handle, MPI_ERR_REQUEST,
                    message ? "the request to cancel is not active" : "only sends and receives can be cancelled");
  if (found->kind == Request::Kind::receive && found->state == Request::State::pending) cancel_receive(*found);
  if (found->kind == Request::Kind::send && found->state == Request::State::pending) cancel_send(*found);
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
