// SPDX-License-Identifier: MIT
//
// The error handlers that the rank's program created, with counts of their uses.
//
// Ownership: a handler lives while the program holds its handle or a communicator uses it.
//            Predefined handlers are constants: not kept here, never counted.
#pragma once

#include "mpi.h"
#include "smpi/handle_registry.hpp"

namespace rehearse::smpi {

struct ErrorHandler {
  MPI_Comm_errhandler_function* function = nullptr;
  MPI_Session_errhandler_function* session_function = nullptr;
  MPI_Win_errhandler_function* window_function = nullptr;
  MPI_File_errhandler_function* file_function = nullptr;  // one of the four
  int program_uses = 0;                                   // created, or obtained from an object, and not freed
  int communicator_uses = 0;
};

class ErrorHandlers {
 public:
  // A new handler that the program holds.
  MPI_Errhandler create(MPI_Comm_errhandler_function* function);

  MPI_Errhandler create_for_session(MPI_Session_errhandler_function* function);
  MPI_Errhandler create_for_window(MPI_Win_errhandler_function* function);
  MPI_Errhandler create_for_file(MPI_File_errhandler_function* function);

  // Whether the handle is a predefined handler or a live one.
  bool is_known(MPI_Errhandler handle) const;

  // Whether it is known, and a communicator may have it.
  bool fits_communicator(MPI_Errhandler handle) const;

  // The function of a handler of the program, which must be live.
  MPI_Comm_errhandler_function* function_of(MPI_Errhandler handle) const;

  // The function of a handler for sessions; null for a predefined one and one for communicators.
  MPI_Session_errhandler_function* session_function_of(MPI_Errhandler handle) const;

  // The function of a handler for windows; null for a predefined one and others.
  MPI_Win_errhandler_function* window_function_of(MPI_Errhandler handle) const;

  // The function of a handler for files; null for a predefined one and others.
  MPI_File_errhandler_function* file_function_of(MPI_Errhandler handle) const;

  // Count one user more or less. Without users, the handler is destroyed. They do nothing for a predefined handler.
  void take_for_program(MPI_Errhandler handle);
  void release_by_program(MPI_Errhandler handle);
  void take_for_communicator(MPI_Errhandler handle);
  void release_by_communicator(MPI_Errhandler handle);

  const auto& handlers() const { return handlers_; }

 private:
  void change(MPI_Errhandler handle, int program, int communicator);

  HandleRegistry<MPI_Errhandler, ErrorHandler, HandleKind::error_handler> handlers_;
};

}  // namespace rehearse::smpi
