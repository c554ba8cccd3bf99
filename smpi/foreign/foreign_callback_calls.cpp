// SPDX-License-Identifier: MIT
//
// Functions with callbacks, for programs of other MPI libraries: the callbacks get handles, keys, codes and statuses of
// that library. See also smpi/callbacks.hpp.
#include <cstdint>
#include <cstring>
#include <string_view>

#include "smpi/abi/dead_stack.hpp"
#include "smpi/abi/entered.hpp"
#include "smpi/callbacks.hpp"
#include "smpi/foreign/foreign_entries.hpp"
#include "smpi/foreign/mpich.hpp"
#include "smpi/foreign/open_mpi.hpp"
#include "smpi/foreign/translated.hpp"

namespace rehearse::smpi::foreign {
namespace {

[[gnu::always_inline]] inline CallPlace place_of_caller() {
  return {__builtin_return_address(0), __builtin_dwarf_cfa()};
}

template <class Abi>
constexpr Interface interface_of_abi = std::is_same_v<Abi, Mpich> ? Interface::mpich : Interface::open_mpi;

template <class Abi, class Function>
Function* noted(void* function) {
  if (function != nullptr) note_callback(function, interface_of_abi<Abi>);
  return reinterpret_cast<Function*>(function);
}

// ---- Attributes

struct KeyRecord {
  void* copy;
  void* remove;
  void* extra;
};

template <class Abi, class Handle>
int copy_attribute(Handle from, int key, void* extra, void* in, void* out, int* flag) {
  using Copy = int(typename Abi::template Handle<Handle>, int, void*, void*, void*, int*);
  const auto& record = *static_cast<const KeyRecord*>(extra);
  const int code =
      reinterpret_cast<Copy*>(record.copy)(Abi::template foreign<Handle>(from), key, record.extra, in, out, flag);
  return ours_of(Abi::errors, code);
}

template <class Abi, class Handle>
int remove_attribute(Handle from, int key, void* value, void* extra) {
  using Remove = int(typename Abi::template Handle<Handle>, int, void*, void*);
  const auto& record = *static_cast<const KeyRecord*>(extra);
  const int code =
      reinterpret_cast<Remove*>(record.remove)(Abi::template foreign<Handle>(from), key, value, record.extra);
  return ours_of(Abi::errors, code);
}

// The predefined functions of the libraries, to which their mpi.h refers.
int copy_nothing(void*, int, void*, void*, void*, int* flag) {
  *flag = 0;
  return MPI_SUCCESS;
}
int duplicate(void*, int, void*, void* in, void* out, int* flag) {
  std::memcpy(out, &in, sizeof in);
  *flag = 1;
  return MPI_SUCCESS;
}
int remove_nothing(void*, int, void*, void*) { return MPI_SUCCESS; }

template <class Abi, class Copy, class Remove, class Handle, class Create>
int create_keyval(void* copy, void* remove, int* keyval, void* extra, Create create) {
  auto* to_copy = reinterpret_cast<Copy*>(&copy_attribute<Abi, Handle>);
  auto* to_remove = reinterpret_cast<Remove*>(&remove_attribute<Abi, Handle>);
  if (copy == nullptr || copy == entry_address(copy_nothing)) to_copy = nullptr;
  if (copy == entry_address(duplicate)) to_copy = reinterpret_cast<Copy*>(std::uintptr_t{1});
  if (remove == nullptr || remove == entry_address(remove_nothing)) to_remove = nullptr;
  auto* record = new KeyRecord{copy, remove, extra};  // lives as long as the rank: a key has no end
  return foreign_of(Abi::errors, create(to_copy, to_remove, keyval, record));
}

template <class Abi>
int comm_create_keyval(void* copy, void* remove, int* keyval, void* extra) {
  const DeadStack dead_stack;
  return create_keyval<Abi, MPI_Comm_copy_attr_function, MPI_Comm_delete_attr_function, MPI_Comm>(
      copy, remove, keyval, extra,
      [here = place_of_caller()](auto... all) { return entered::Comm_create_keyval(here, all...); });
}

template <class Abi>
int type_create_keyval(void* copy, void* remove, int* keyval, void* extra) {
  const DeadStack dead_stack;
  return create_keyval<Abi, MPI_Type_copy_attr_function, MPI_Type_delete_attr_function, MPI_Datatype>(
      copy, remove, keyval, extra,
      [here = place_of_caller()](auto... all) { return entered::Type_create_keyval(here, all...); });
}

template <class Abi>
int win_create_keyval(void* copy, void* remove, int* keyval, void* extra) {
  const DeadStack dead_stack;
  return create_keyval<Abi, MPI_Win_copy_attr_function, MPI_Win_delete_attr_function, MPI_Win>(
      copy, remove, keyval, extra,
      [here = place_of_caller()](auto... all) { return entered::Win_create_keyval(here, all...); });
}

template <class Abi>
int keyval_create(void* copy, void* remove, int* keyval, void* extra) {
  const DeadStack dead_stack;
  return create_keyval<Abi, MPI_Copy_function, MPI_Delete_function, MPI_Comm>(
      copy, remove, keyval, extra,
      [here = place_of_caller()](auto... all) { return entered::Keyval_create(here, all...); });
}

// ---- Operators and error handlers

template <class Abi>
int op_create(void* function, int commute, typename Abi::template Handle<MPI_Op>* f_op) {
  const DeadStack dead_stack;
  HandleVariable<Abi, MPI_Op> op(f_op);
  const int result =
      entered::Op_create(place_of_caller(), noted<Abi, MPI_User_function>(function), commute, op.address());
  op.write_back();
  return foreign_of(Abi::errors, result);
}

template <class Abi, class Function, class Create>
int create_handler(void* function, typename Abi::template Handle<MPI_Errhandler>* variable, Create create) {
  HandleVariable<Abi, MPI_Errhandler> handler(variable);
  const int result = create(noted<Abi, Function>(function), handler.address());
  handler.write_back();
  return foreign_of(Abi::errors, result);
}

template <class Abi>
int comm_create_errhandler(void* function, typename Abi::template Handle<MPI_Errhandler>* handler) {
  const DeadStack dead_stack;
  return create_handler<Abi, MPI_Comm_errhandler_function>(function, handler, [here = place_of_caller()](auto... all) {
    return entered::Comm_create_errhandler(here, all...);
  });
}

template <class Abi>
int errhandler_create(void* function, typename Abi::template Handle<MPI_Errhandler>* handler) {
  const DeadStack dead_stack;
  return create_handler<Abi, MPI_Comm_errhandler_function>(function, handler, [here = place_of_caller()](auto... all) {
    return entered::Errhandler_create(here, all...);
  });
}

template <class Abi>
int win_create_errhandler(void* function, typename Abi::template Handle<MPI_Errhandler>* handler) {
  const DeadStack dead_stack;
  return create_handler<Abi, MPI_Win_errhandler_function>(function, handler, [here = place_of_caller()](auto... all) {
    return entered::Win_create_errhandler(here, all...);
  });
}

template <class Abi>
int file_create_errhandler(void* function, typename Abi::template Handle<MPI_Errhandler>* handler) {
  const DeadStack dead_stack;
  return create_handler<Abi, MPI_File_errhandler_function>(function, handler, [here = place_of_caller()](auto... all) {
    return entered::File_create_errhandler(here, all...);
  });
}

template <class Abi>
int session_create_errhandler(void* function, typename Abi::template Handle<MPI_Errhandler>* handler) {
  const DeadStack dead_stack;
  return create_handler<Abi, MPI_Session_errhandler_function>(function, handler,
                                                              [here = place_of_caller()](auto... all) {
                                                                return entered::Session_create_errhandler(here, all...);
                                                              });
}

// ---- Generalized requests

template <class Abi>
struct GrequestRecord {
  int (*query)(void*, typename Abi::Status*);
  int (*free)(void*);
  int (*cancel)(void*, int);
  void* extra;
};

template <class Abi>
int query_request(void* extra, MPI_Status* status) {
  auto* record = static_cast<GrequestRecord<Abi>*>(extra);
  typename Abi::Status theirs = status_to<Abi>(*status);
  const int code = record->query(record->extra, &theirs);
  *status = status_from<Abi>(theirs);
  return ours_of(Abi::errors, code);
}

template <class Abi>
int free_request(void* extra) {
  auto* record = static_cast<GrequestRecord<Abi>*>(extra);
  const int code = record->free == nullptr ? MPI_SUCCESS : record->free(record->extra);
  delete record;
  return ours_of(Abi::errors, code);
}

template <class Abi>
int cancel_request(void* extra, int complete) {
  auto* record = static_cast<GrequestRecord<Abi>*>(extra);
  return ours_of(Abi::errors, record->cancel(record->extra, complete));
}

template <class Abi>
int grequest_start(int (*query)(void*, typename Abi::Status*), int (*free)(void*), int (*cancel)(void*, int),
                   void* extra, typename Abi::template Handle<MPI_Request>* f_request) {
  const DeadStack dead_stack;
  HandleVariable<Abi, MPI_Request> request(f_request);
  auto* record = new GrequestRecord<Abi>{query, free, cancel, extra};
  const int result = entered::Grequest_start(place_of_caller(), query == nullptr ? nullptr : query_request<Abi>,
                                             free_request<Abi>, cancel == nullptr ? nullptr : cancel_request<Abi>,
                                             record, request.address());
  request.write_back();
  return foreign_of(Abi::errors, result);
}

// ---- Statuses of Fortran: the words of the library's own status.

template <class Abi>
int status_c2f(const typename Abi::Status* from, int* to) {
  std::memcpy(to, from, sizeof *from);
  return MPI_SUCCESS;
}

template <class Abi>
int status_f2c(const int* from, typename Abi::Status* to) {
  std::memcpy(to, from, sizeof *to);
  return MPI_SUCCESS;
}

}  // namespace

template <class Abi>
EntryList callback_entries() {
  EntryList all = {{"MPI_Comm_create_keyval", entry_address(comm_create_keyval<Abi>)},
                   {"MPI_Type_create_keyval", entry_address(type_create_keyval<Abi>)},
                   {"MPI_Win_create_keyval", entry_address(win_create_keyval<Abi>)},
                   {"MPI_Keyval_create", entry_address(keyval_create<Abi>)},
                   {"MPI_Op_create", entry_address(op_create<Abi>)},
                   {"MPI_Comm_create_errhandler", entry_address(comm_create_errhandler<Abi>)},
                   {"MPI_Errhandler_create", entry_address(errhandler_create<Abi>)},
                   {"MPI_Win_create_errhandler", entry_address(win_create_errhandler<Abi>)},
                   {"MPI_File_create_errhandler", entry_address(file_create_errhandler<Abi>)},
                   {"MPI_Session_create_errhandler", entry_address(session_create_errhandler<Abi>)},
                   {"MPI_Grequest_start", entry_address(grequest_start<Abi>)},
                   {"MPI_Status_c2f", entry_address(status_c2f<Abi>)},
                   {"MPI_Status_f2c", entry_address(status_f2c<Abi>)},
                   {"MPIR_Dup_fn", entry_address(duplicate)}};
  for (const std::string_view name :
       {"OMPI_C_MPI_COMM_DUP_FN", "OMPI_C_MPI_TYPE_DUP_FN", "OMPI_C_MPI_WIN_DUP_FN", "OMPI_C_MPI_DUP_FN"})
    all.emplace_back(name, entry_address(duplicate));
  for (const std::string_view name : {"OMPI_C_MPI_COMM_NULL_COPY_FN", "OMPI_C_MPI_TYPE_NULL_COPY_FN",
                                      "OMPI_C_MPI_WIN_NULL_COPY_FN", "OMPI_C_MPI_NULL_COPY_FN"})
    all.emplace_back(name, entry_address(copy_nothing));
  for (const std::string_view name : {"OMPI_C_MPI_COMM_NULL_DELETE_FN", "OMPI_C_MPI_TYPE_NULL_DELETE_FN",
                                      "OMPI_C_MPI_WIN_NULL_DELETE_FN", "OMPI_C_MPI_NULL_DELETE_FN"})
    all.emplace_back(name, entry_address(remove_nothing));
  return all;
}

template EntryList callback_entries<Mpich>();
template EntryList callback_entries<OpenMpi>();

}  // namespace rehearse::smpi::foreign
