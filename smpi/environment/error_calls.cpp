// SPDX-License-Identifier: MIT
//
// The calls on error handlers of communicators.
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/environment/error_handlers.hpp"
#include "smpi/error.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/wrong_handle.hpp"

namespace rehearse::smpi::calls {

int Comm_create_errhandler(MPI_Comm_errhandler_function* comm_errhandler_fn, MPI_Errhandler* errhandler) {
  Arguments check;
  check.pointer(reinterpret_cast<const void*>(comm_errhandler_fn), "comm_errhandler_fn")
      .pointer(errhandler, "errhandler");
  if (!check.failed()) *errhandler = per_rank<ErrorHandlers>().create(comm_errhandler_fn);
  return check.error();
}

int Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler) {
  Arguments check(comm);
  if (!per_rank<ErrorHandlers>().is_known(errhandler))
    check.require(false, MPI_ERR_ERRHANDLER, wrong_handle(Kind::errhandler, errhandler));
  ErrorHandlers& handlers = per_rank<ErrorHandlers>();
  check.require(handlers.fits_communicator(errhandler), MPI_ERR_ERRHANDLER,
                "the error handler is not one for communicators");
  if (check.failed()) return check.error();
  Communicator& communicator = *check.communicator();
  handlers.take_for_communicator(errhandler);
  handlers.release_by_communicator(communicator.error_handler);
  communicator.error_handler = errhandler;
  return MPI_SUCCESS;
}

// The program must free the returned handler, like a handler that it created.
int Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler* errhandler) {
  Arguments check(comm);
  check.pointer(errhandler, "errhandler");
  if (check.failed()) return check.error();
  *errhandler = check.communicator()->error_handler;
  per_rank<ErrorHandlers>().take_for_program(*errhandler);
  return MPI_SUCCESS;
}

int Errhandler_free(MPI_Errhandler* errhandler) {
  Arguments check;
  check.pointer(errhandler, "errhandler");
  if (check.failed()) return check.error();
  if (!per_rank<ErrorHandlers>().is_known(*errhandler))
    check.require(false, MPI_ERR_ERRHANDLER, wrong_handle(Kind::errhandler, *errhandler));
  if (check.failed()) return check.error();
  per_rank<ErrorHandlers>().release_by_program(*errhandler);
  *errhandler = MPI_ERRHANDLER_NULL;
  return MPI_SUCCESS;
}

int Comm_call_errhandler(MPI_Comm comm, int errorcode) {
  Arguments check(comm);
  if (check.failed()) return check.error();
  call_error_handler(comm, errorcode);
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
