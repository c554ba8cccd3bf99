// SPDX-License-Identifier: MIT
//
// See error_handlers.hpp.
#include "smpi/environment/error_handlers.hpp"

#include "simcore/support/assert.hpp"
#include "smpi/creation_site.hpp"

namespace rehearse::smpi {

MPI_Errhandler ErrorHandlers::create(MPI_Comm_errhandler_function* function) {
  return handlers_.insert({.function = function, .program_uses = 1}, creation_site());
}

MPI_Errhandler ErrorHandlers::create_for_session(MPI_Session_errhandler_function* function) {
  return handlers_.insert({.session_function = function, .program_uses = 1}, creation_site());
}

MPI_Errhandler ErrorHandlers::create_for_window(MPI_Win_errhandler_function* function) {
  return handlers_.insert({.window_function = function, .program_uses = 1}, creation_site());
}

MPI_Errhandler ErrorHandlers::create_for_file(MPI_File_errhandler_function* function) {
  return handlers_.insert({.file_function = function, .program_uses = 1}, creation_site());
}

bool ErrorHandlers::fits_communicator(MPI_Errhandler handle) const {
  const ErrorHandler* handler = handlers_.find(handle);
  return handler == nullptr ? is_known(handle) : handler->function != nullptr;
}

MPI_Session_errhandler_function* ErrorHandlers::session_function_of(MPI_Errhandler handle) const {
  const ErrorHandler* handler = handlers_.find(handle);
  return handler == nullptr ? nullptr : handler->session_function;
}

MPI_Win_errhandler_function* ErrorHandlers::window_function_of(MPI_Errhandler handle) const {
  const ErrorHandler* handler = handlers_.find(handle);
  return handler == nullptr ? nullptr : handler->window_function;
}

MPI_File_errhandler_function* ErrorHandlers::file_function_of(MPI_Errhandler handle) const {
  const ErrorHandler* handler = handlers_.find(handle);
  return handler == nullptr ? nullptr : handler->file_function;
}

bool ErrorHandlers::is_known(MPI_Errhandler handle) const {
  return handle == MPI_ERRORS_ARE_FATAL || handle == MPI_ERRORS_ABORT || handle == MPI_ERRORS_RETURN ||
         handlers_.find(handle) != nullptr;
}

MPI_Comm_errhandler_function* ErrorHandlers::function_of(MPI_Errhandler handle) const {
  const ErrorHandler* handler = handlers_.find(handle);
  REHEARSE_ASSERT(handler != nullptr && handler->function != nullptr,
                  "an error handler in use is live, and one for communicators");
  return handler->function;
}

void ErrorHandlers::take_for_program(MPI_Errhandler handle) { change(handle, 1, 0); }
void ErrorHandlers::release_by_program(MPI_Errhandler handle) { change(handle, -1, 0); }
void ErrorHandlers::take_for_communicator(MPI_Errhandler handle) { change(handle, 0, 1); }
void ErrorHandlers::release_by_communicator(MPI_Errhandler handle) { change(handle, 0, -1); }

void ErrorHandlers::change(MPI_Errhandler handle, int program, int communicator) {
  ErrorHandler* handler = handlers_.find(handle);
  if (handler == nullptr) return;
  handler->program_uses += program;
  handler->communicator_uses += communicator;
  if (handler->program_uses <= 0 && handler->communicator_uses <= 0) handlers_.erase(handle);
}

}  // namespace rehearse::smpi
