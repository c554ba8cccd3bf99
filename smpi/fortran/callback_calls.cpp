// SPDX-License-Identifier: MIT
//
// Operators, error handlers and generalized requests whose functions are of Fortran; see also smpi/callbacks.hpp.
//
// Departure: the extra state of a generalized request is copied at its start (INTENT(IN) in the standard).
// Source:    MPI 5.0, 6.9.5, 9.3, 13.2 and 19.3.
#include <type_traits>

#include "smpi/abi/dead_stack.hpp"
#include "smpi/abi/entered.hpp"
#include "smpi/callbacks.hpp"
#include "smpi/foreign/fortran_abi.hpp"
#include "smpi/fortran/conversion.hpp"
#include "smpi/fortran/entries.hpp"

namespace rehearse::smpi::fortran {
namespace {

template <class Abi, class Function>
Function* noted(void* function) {
  note_callback(function, Abi::interface);
  return reinterpret_cast<Function*>(function);
}

template <class Abi>
void op_create(void* function, const int* commute, int* f_op, int* ierror) {
  const DeadStack dead_stack;
  HandleVariable<Abi, MPI_Op> op(f_op);
  give_result<Abi>(ierror, entered::Op_create(fortran_place(), noted<Abi, MPI_User_function>(function), *commute != 0,
                                              op.address()));
}

template <class Abi>
void op_create_c(void* function, const int* commute, int* f_op, int* ierror) {
  const DeadStack dead_stack;
  HandleVariable<Abi, MPI_Op> op(f_op);
  give_result<Abi>(ierror, entered::Op_create_c(fortran_place(), noted<Abi, MPI_User_function_c>(function),
                                                *commute != 0, op.address()));
}

template <class Abi>
void comm_create_errhandler(void* function, int* f_handler, int* ierror) {
  const DeadStack dead_stack;
  HandleVariable<Abi, MPI_Errhandler> handler(f_handler);
  give_result<Abi>(ierror,
                   entered::Comm_create_errhandler(fortran_place(), noted<Abi, MPI_Comm_errhandler_function>(function),
                                                   handler.address()));
}

template <class Abi>
void errhandler_create(void* function, int* f_handler, int* ierror) {
  const DeadStack dead_stack;
  HandleVariable<Abi, MPI_Errhandler> handler(f_handler);
  give_result<Abi>(ierror,
                   entered::Errhandler_create(fortran_place(), noted<Abi, MPI_Comm_errhandler_function>(function),
                                              handler.address()));
}

template <class Abi>
void file_create_errhandler(void* function, int* f_handler, int* ierror) {
  const DeadStack dead_stack;
  HandleVariable<Abi, MPI_Errhandler> handler(f_handler);
  give_result<Abi>(ierror,
                   entered::File_create_errhandler(fortran_place(), noted<Abi, MPI_File_errhandler_function>(function),
                                                   handler.address()));
}

template <class Abi>
void win_create_errhandler(void* function, int* f_handler, int* ierror) {
  const DeadStack dead_stack;
  HandleVariable<Abi, MPI_Errhandler> handler(f_handler);
  give_result<Abi>(ierror,
                   entered::Win_create_errhandler(fortran_place(), noted<Abi, MPI_Win_errhandler_function>(function),
                                                  handler.address()));
}

template <class Abi>
void session_create_errhandler(void* function, int* f_handler, int* ierror) {
  const DeadStack dead_stack;
  HandleVariable<Abi, MPI_Errhandler> handler(f_handler);
  give_result<Abi>(ierror, entered::Session_create_errhandler(fortran_place(),
                                                              noted<Abi, MPI_Session_errhandler_function>(function),
                                                              handler.address()));
}

// ---- Generalized requests: the functions and the program's extra state are the extra state of the engine.

struct GrequestRecord {
  void (*query)(MPI_Aint*, void*, int*);
  void (*free)(MPI_Aint*, int*);
  void (*cancel)(MPI_Aint*, int*, int*);
  MPI_Aint extra;
};

template <class Abi>
int query_request(void* extra, MPI_Status* status) {
  auto* record = static_cast<GrequestRecord*>(extra);
  int result = MPI_SUCCESS;
  if constexpr (std::is_same_v<typename Abi::Status, MPI_Status>) {
    record->query(&record->extra, status, &result);
  } else {
    typename Abi::Status theirs = foreign::status_to<Abi>(*status);
    record->query(&record->extra, &theirs, &result);
    *status = foreign::status_from<Abi>(theirs);
  }
  return ours_of(Abi::errors, result);
}

template <class Abi>
int free_request(void* extra) {
  auto* record = static_cast<GrequestRecord*>(extra);
  int result = MPI_SUCCESS;
  record->free(&record->extra, &result);
  delete record;
  return ours_of(Abi::errors, result);
}

template <class Abi>
int cancel_request(void* extra, int complete) {
  auto* record = static_cast<GrequestRecord*>(extra);
  int result = MPI_SUCCESS;
  record->cancel(&record->extra, &complete, &result);
  return ours_of(Abi::errors, result);
}

template <class Abi>
void grequest_start(void* query, void* free, void* cancel, const MPI_Aint* extra, int* f_request, int* ierror) {
  const DeadStack dead_stack;
  HandleVariable<Abi, MPI_Request> request(f_request);
  auto* record = new GrequestRecord{reinterpret_cast<void (*)(MPI_Aint*, void*, int*)>(query),
                                    reinterpret_cast<void (*)(MPI_Aint*, int*)>(free),
                                    reinterpret_cast<void (*)(MPI_Aint*, int*, int*)>(cancel), *extra};
  give_result<Abi>(ierror, entered::Grequest_start(fortran_place(), query_request<Abi>, free_request<Abi>,
                                                   cancel_request<Abi>, record, request.address()));
}

void conversion_null() {}

}  // namespace

template <class Abi>
EntryList callback_entries() {
  return {{"mpi_op_create", entry_address(op_create<Abi>)},
          {"mpi_op_create_c", entry_address(op_create_c<Abi>)},
          {"mpi_comm_create_errhandler", entry_address(comm_create_errhandler<Abi>)},
          {"mpi_errhandler_create", entry_address(errhandler_create<Abi>)},
          {"mpi_file_create_errhandler", entry_address(file_create_errhandler<Abi>)},
          {"mpi_win_create_errhandler", entry_address(win_create_errhandler<Abi>)},
          {"mpi_session_create_errhandler", entry_address(session_create_errhandler<Abi>)},
          {"mpi_grequest_start", entry_address(grequest_start<Abi>)},
          {"mpi_conversion_fn_null", entry_address(conversion_null)},
          {"mpi_conversion_fn_null_c", entry_address(conversion_null)}};
}

template EntryList callback_entries<Standard>();
template EntryList callback_entries<foreign::MpichFortran>();
template EntryList callback_entries<foreign::OpenMpiFortran>();

}  // namespace rehearse::smpi::fortran
