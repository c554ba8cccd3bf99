// SPDX-License-Identifier: MIT
//
// Functions of the program that have no data of their own: operators and error handlers. They get handles in the form
// of the interface in which they were passed to MPI: C or Fortran, of the standard's ABI or of another library's ABI.
//
// Threads: one table per rank; only on a rank.
#pragma once

#include <cstdint>

#include "mpi.h"

namespace rehearse::smpi {

enum class Interface : std::uint8_t { standard, fortran, mpich, mpich_fortran, open_mpi, open_mpi_fortran };

// The function was passed in this interface. One that was never noted was passed in the standard's ABI.
void note_callback(const void* function, Interface interface);
Interface interface_of_callback(const void* function);

// The argument `datatype` of an operator.
class TypeArgument {
 public:
  TypeArgument(const void* function, MPI_Datatype datatype);
  MPI_Datatype* address() { return is_integer_ ? reinterpret_cast<MPI_Datatype*>(&integer_) : &pointer_; }

 private:
  void set_integer(int integer);

  bool is_integer_ = false;
  int integer_ = 0;
  MPI_Datatype pointer_ = nullptr;
};

// Call an error handler of the program; `code` is an error class of the standard's ABI.
void call_handler_function(MPI_Comm_errhandler_function* function, MPI_Comm comm, int code);
void call_handler_function(MPI_Session_errhandler_function* function, MPI_Session session, int code);
void call_handler_function(MPI_Win_errhandler_function* function, MPI_Win win, int code);
void call_handler_function(MPI_File_errhandler_function* function, MPI_File file, int code);

}  // namespace rehearse::smpi
