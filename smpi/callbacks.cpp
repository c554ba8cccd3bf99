// SPDX-License-Identifier: MIT
//
// See callbacks.hpp.
#include "smpi/callbacks.hpp"

#include <map>

#include "simcore/actor.hpp"
#include "smpi/abi/integer_handles.hpp"
#include "smpi/foreign/fortran_abi.hpp"
#include "smpi/per_rank.hpp"

namespace rehearse::smpi {
namespace {

struct NotedCallbacks {
  std::map<const void*, Interface> all;
};

// In Fortran and in MPICH's ABI a handle is an integer (except that of a file in the latter).
template <class Abi, class Ours, class Function>
void call_in(Function* function, Ours handle, int code) {
  auto theirs = Abi::template foreign<Ours>(handle);
  int their_code = foreign::foreign_of(Abi::errors, code);
  reinterpret_cast<void (*)(decltype(theirs)*, int*, ...)>(function)(&theirs, &their_code);
}

template <class Ours, class Function>
void call_with_handle(Function* function, Ours handle, int code) {
  switch (interface_of_callback(reinterpret_cast<const void*>(function))) {
    case Interface::standard: function(&handle, &code); return;
    case Interface::fortran: {
      int number = integer_of_handle(handle);
      reinterpret_cast<void (*)(int*, int*)>(function)(&number, &code);
      return;
    }
    case Interface::mpich: call_in<foreign::Mpich>(function, handle, code); return;
    case Interface::mpich_fortran: call_in<foreign::MpichFortran>(function, handle, code); return;
    case Interface::open_mpi: call_in<foreign::OpenMpi>(function, handle, code); return;
    case Interface::open_mpi_fortran: call_in<foreign::OpenMpiFortran>(function, handle, code); return;
  }
}

}  // namespace

void note_callback(const void* function, Interface interface) {
  per_rank<NotedCallbacks>().all.insert_or_assign(function, interface);
}

Interface interface_of_callback(const void* function) {
  const NotedCallbacks* noted = in_actor() ? find_per_rank<NotedCallbacks>() : nullptr;
  if (noted == nullptr) return Interface::standard;
  const auto found = noted->all.find(function);
  return found == noted->all.end() ? Interface::standard : found->second;
}

TypeArgument::TypeArgument(const void* function, MPI_Datatype datatype) {
  switch (interface_of_callback(function)) {
    case Interface::standard: pointer_ = datatype; break;
    case Interface::fortran: set_integer(integer_of_handle(datatype)); break;
    case Interface::mpich: set_integer(foreign::Mpich::foreign<MPI_Datatype>(datatype)); break;
    case Interface::mpich_fortran: set_integer(foreign::MpichFortran::foreign<MPI_Datatype>(datatype)); break;
    case Interface::open_mpi_fortran: set_integer(foreign::OpenMpiFortran::foreign<MPI_Datatype>(datatype)); break;
    case Interface::open_mpi:
      pointer_ = static_cast<MPI_Datatype>(foreign::OpenMpi::foreign<MPI_Datatype>(datatype));
      break;
  }
}

void TypeArgument::set_integer(int integer) {
  is_integer_ = true;
  integer_ = integer;
}

void call_handler_function(MPI_Comm_errhandler_function* function, MPI_Comm comm, int code) {
  call_with_handle(function, comm, code);
}
void call_handler_function(MPI_Session_errhandler_function* function, MPI_Session session, int code) {
  call_with_handle(function, session, code);
}
void call_handler_function(MPI_Win_errhandler_function* function, MPI_Win win, int code) {
  call_with_handle(function, win, code);
}
void call_handler_function(MPI_File_errhandler_function* function, MPI_File file, int code) {
  call_with_handle(function, file, code);
}

}  // namespace rehearse::smpi
