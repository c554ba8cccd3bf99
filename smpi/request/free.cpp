// SPDX-License-Identifier: MIT
//
// MPI_Request_free.
//
// Departure: a receive whose request is freed while it is pending takes its message, but the data is not written to the
//            buffer. The program could not know when it may read the buffer.
#include <string>

#include "simcore/actor.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/error.hpp"
#include "smpi/request/request.hpp"
#include "smpi/request/unstarted.hpp"
#include "smpi/request/withheld.hpp"
#include "smpi/wrong_handle.hpp"

namespace rehearse::smpi::calls {

int Request_free(MPI_Request* request) {
  Arguments check;
  check.pointer(request, "request");
  if (check.failed()) return check.error();
  Request* freed = find_request(*request);
  if (freed == nullptr) return error(MPI_ERR_REQUEST, wrong_handle(Kind::request, *request));
  check_thread_use(*freed);
  if (freed->kind == Request::Kind::generalized) {
    free_generalized(request);
    return MPI_SUCCESS;
  }
  if (freed->state == Request::State::pending && is_withheld(*freed)) no_execution();
  if (freed->state == Request::State::pending) {
    if (freed->extra && freed->extra->begin)
      return error_on(freed->communicator->handle, MPI_ERR_REQUEST, "an active request of this kind must not be freed",
                      "request.active");
    if (freed->extra && freed->extra->is_of_file) unsupported("MPI_Request_free of a pending access to a file");
    if (freed->kind == Request::Kind::compound) {
      end_uses(*freed);
      settle_request(*freed);
      for (const Piece& piece : freed->extra->pieces)
        if (!piece.done) ask(Release{piece.id});
      requests().erase(*request);
      *request = MPI_REQUEST_NULL;
      return MPI_SUCCESS;
    }
    const bool is_one_sided = freed->kind == Request::Kind::one_sided;
    if (freed->kind == Request::Kind::collective || is_one_sided)
      return error_on(freed->communicator->handle, MPI_ERR_REQUEST,
                      is_one_sided ? "the request of a pending access to a window must not be freed"
                                   : "the request of an active collective operation must not be freed",
                      "request.active");
    release_uses(*freed);
    settle_request(*freed);
    ask(Release{freed->id});
  }
  report_never_started(*freed);
  requests().erase(*request);
  *request = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
