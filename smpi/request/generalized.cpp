// SPDX-License-Identifier: MIT
//
// Generalized requests: operations that the program itself completes, with functions of the program that fill their
// statuses.
//
// Source: MPI 5.0, 13.2. A rank has one thread, so no thread can complete a request while the rank waits for it. Such a
//         wait ends the rank with a finding.
#include <memory>
#include <utility>

#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/error.hpp"
#include "smpi/process/rank_threads.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {
namespace {

constexpr const char* waits_for_itself =
    "waits for a generalized request that only this rank itself can complete, with "
    "MPI_Grequest_complete";

Trouble trouble_of(int code, const char* function) {
  if (code == MPI_SUCCESS) return {};
  return {code, std::string("the ") + function + " function of a generalized request failed", {}};
}

Request* checked(Arguments& check, MPI_Request handle) {
  if (check.failed()) return nullptr;
  Request* request = find_request(handle);
  check.require(request != nullptr && request->kind == Request::Kind::generalized, MPI_ERR_REQUEST,
                "the request is not a generalized request");
  return check.failed() ? nullptr : request;
}

Trouble call_free(const Request& request) {
  const Generalized& functions = request.extra->generalized;
  if (functions.free == nullptr) return {};
  return trouble_of(functions.free(functions.extra_state), "free");
}

}  // namespace

Trouble query_generalized(const Request& request, MPI_Status* status) {
  const Generalized& functions = request.extra->generalized;
  if (functions.query == nullptr) return {};
  MPI_Status filled{};
  write_empty_status(&filled);
  const int code = functions.query(functions.extra_state, &filled);
  if (status != MPI_STATUS_IGNORE) {
    filled.MPI_ERROR = status->MPI_ERROR;
    *status = filled;
  }
  return trouble_of(code, "query");
}

Trouble conclude_generalized(Request& request, MPI_Status* status) {
  Trouble trouble = query_generalized(request, status);
  Trouble at_free = call_free(request);
  return trouble.error != MPI_SUCCESS ? trouble : at_free;
}

void free_generalized(MPI_Request* handle) {
  Request& request = *find_request(*handle);
  request.extra->freed = true;
  if (request.state == Request::State::complete) {
    call_free(request);
    requests().erase(*handle);
  }
  *handle = MPI_REQUEST_NULL;
}

}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int Grequest_start(MPI_Grequest_query_function* query_fn, MPI_Grequest_free_function* free_fn,
                   MPI_Grequest_cancel_function* cancel_fn, void* extra_state, MPI_Request* request) {
  Arguments check;
  check.pointer(request, "request");
  if (check.failed()) return check.error();
  auto made = std::make_unique<Request>();
  made->kind = Request::Kind::generalized;
  made->state = Request::State::pending;
  made->communicator = check.communicator();
  made->more().awaits = waits_for_itself;
  made->extra->generalized = {query_fn, free_fn, cancel_fn, extra_state};
  give_request(request, std::move(made));
  return MPI_SUCCESS;
}

int Grequest_complete(MPI_Request request) {
  Arguments check;
  Request* found = checked(check, request);
  if (found == nullptr) return check.error();
  check.require(found->state == Request::State::pending, MPI_ERR_REQUEST,
                "the generalized request is complete already");
  if (check.failed()) return check.error();
  found->state = Request::State::complete;
  found->extra->awaits.clear();
  wake(&requests());  // threads that wait for it
  if (!found->extra->freed) return MPI_SUCCESS;
  call_free(*found);
  requests().erase(request);
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
