// SPDX-License-Identifier: MIT
//
// Attributes in Fortran: INTEGER(KIND=MPI_ADDRESS_KIND), held by value; INTEGER in the functions of MPI-1.
//
// Languages: an attribute that Fortran sets is kept as the address of a cell with its value, so that C gets a pointer
//            to it; one that C sets has its address as its value in Fortran.
// Source:    MPI 5.0, 19.3.7.
#include <map>
#include <memory>

#include "smpi/abi/dead_stack.hpp"
#include "smpi/abi/entered.hpp"
#include "smpi/foreign/fortran_abi.hpp"
#include "smpi/fortran/conversion.hpp"
#include "smpi/fortran/entries.hpp"
#include "smpi/per_rank.hpp"

namespace rehearse::smpi::fortran {
namespace {

constexpr int first_key_of_program = 0x1000;

// One cell for each value that the program has set.
struct AttributeCells {
  std::map<MPI_Aint, std::unique_ptr<MPI_Aint>> by_value;
};

void* cell_of(MPI_Aint value) {
  std::unique_ptr<MPI_Aint>& cell = per_rank<AttributeCells>().by_value[value];
  if (!cell) cell = std::make_unique<MPI_Aint>(value);
  return cell.get();
}

MPI_Aint value_of(void* kept) {
  for (const auto& [value, cell] : per_rank<AttributeCells>().by_value)
    if (cell.get() == kept) return value;
  return reinterpret_cast<MPI_Aint>(kept);
}

template <class Abi>
MPI_Aint predefined_value(int key, const void* kept) {
  if (key == MPI_WIN_BASE) return reinterpret_cast<MPI_Aint>(kept);
  if (key == MPI_WIN_SIZE) return *static_cast<const MPI_Aint*>(kept);
  const int value = *static_cast<const int*>(kept);
  return key == MPI_HOST || key == MPI_IO ? foreign_of(Abi::ranks, value) : value;
}

template <class Abi>
int key_of(const int* keyval) {
  return ours_of(Abi::keyvals, *keyval);
}

// ---- Callbacks: the functions of a key, with the extra state of the program, are the extra state of the engine.

struct KeyRecord {
  void* copy;
  void* remove;
  MPI_Aint extra;
  bool is_old;  // of MPI-1: INTEGER instead of INTEGER(KIND=MPI_ADDRESS_KIND)
};

template <class Integer>
int call_copy(const KeyRecord& record, int handle, int key, MPI_Aint in, MPI_Aint& out, int* flag) {
  using Copy = void(int*, int*, Integer*, Integer*, Integer*, int*, int*);
  auto extra = static_cast<Integer>(record.extra), from = static_cast<Integer>(in);
  Integer to = from;
  int result = MPI_SUCCESS, copied = 0;
  reinterpret_cast<Copy*>(record.copy)(&handle, &key, &extra, &from, &to, &copied, &result);
  *flag = copied != 0 ? 1 : 0;
  out = to;
  return result;
}

template <class Integer>
int call_remove(const KeyRecord& record, int handle, int key, MPI_Aint kept) {
  using Remove = void(int*, int*, Integer*, Integer*, int*);
  auto extra = static_cast<Integer>(record.extra), value = static_cast<Integer>(kept);
  int result = MPI_SUCCESS;
  reinterpret_cast<Remove*>(record.remove)(&handle, &key, &value, &extra, &result);
  return result;
}

template <class Abi, class Handle>
int copy_attribute(Handle from, int key, void* extra, void* in, void* out, int* flag) {
  const KeyRecord& record = *static_cast<const KeyRecord*>(extra);
  const int handle = Abi::template foreign<Handle>(from);
  MPI_Aint to = 0;
  const int result = record.is_old ? call_copy<int>(record, handle, key, value_of(in), to, flag)
                                   : call_copy<MPI_Aint>(record, handle, key, value_of(in), to, flag);
  if (*flag != 0) *static_cast<void**>(out) = cell_of(to);
  return ours_of(Abi::errors, result);
}

template <class Abi, class Handle>
int remove_attribute(Handle from, int key, void* kept, void* extra) {
  const KeyRecord& record = *static_cast<const KeyRecord*>(extra);
  const int handle = Abi::template foreign<Handle>(from);
  return ours_of(Abi::errors, record.is_old ? call_remove<int>(record, handle, key, value_of(kept))
                                            : call_remove<MPI_Aint>(record, handle, key, value_of(kept)));
}

// ---- The predefined functions, which the program may also call itself.

template <class Integer>
void null_copy(const int*, const int*, const Integer*, const Integer*, Integer*, int* flag, int* ierror) {
  *flag = 0;
  give_result<Standard>(ierror, MPI_SUCCESS);
}

template <class Integer>
void duplicate(const int*, const int*, const Integer*, const Integer* in, Integer* out, int* flag, int* ierror) {
  *out = *in;
  *flag = 1;
  give_result<Standard>(ierror, MPI_SUCCESS);
}

template <class Integer>
void null_remove(const int*, const int*, const Integer*, const Integer*, int* ierror) {
  give_result<Standard>(ierror, MPI_SUCCESS);
}

// ---- Keys

struct KeyFunctions {
  void* copy;
  void* remove;
};

// The functions for the engine: the constants of the ABI for the predefined ones.
template <class Abi, class Copy, class Remove, class Integer, class Handle>
std::pair<Copy*, Remove*> functions_for_engine(const KeyFunctions& given) {
  auto* copy = reinterpret_cast<Copy*>(&copy_attribute<Abi, Handle>);
  auto* remove = reinterpret_cast<Remove*>(&remove_attribute<Abi, Handle>);
  if (given.copy == entry_address(null_copy<Integer>)) copy = nullptr;
  if (given.copy == entry_address(duplicate<Integer>)) copy = reinterpret_cast<Copy*>(std::uintptr_t{1});
  if (given.remove == entry_address(null_remove<Integer>)) remove = nullptr;
  return {copy, remove};
}

void* record_of(const KeyFunctions& given, MPI_Aint extra, bool is_old) {
  return new KeyRecord{given.copy, given.remove, extra, is_old};  // lives as long as the rank: a key has no end
}

template <class Abi>
void comm_create_keyval(void* copy, void* remove, int* keyval, const MPI_Aint* extra, int* ierror) {
  const DeadStack dead_stack;
  const auto [to_copy, to_remove] =
      functions_for_engine<Abi, MPI_Comm_copy_attr_function, MPI_Comm_delete_attr_function, MPI_Aint, MPI_Comm>(
          {copy, remove});
  give_result<Abi>(ierror, entered::Comm_create_keyval(fortran_place(), to_copy, to_remove, keyval,
                                                       record_of({copy, remove}, *extra, false)));
}

template <class Abi>
void type_create_keyval(void* copy, void* remove, int* keyval, const MPI_Aint* extra, int* ierror) {
  const DeadStack dead_stack;
  const auto [to_copy, to_remove] =
      functions_for_engine<Abi, MPI_Type_copy_attr_function, MPI_Type_delete_attr_function, MPI_Aint, MPI_Datatype>(
          {copy, remove});
  give_result<Abi>(ierror, entered::Type_create_keyval(fortran_place(), to_copy, to_remove, keyval,
                                                       record_of({copy, remove}, *extra, false)));
}

template <class Abi>
void win_create_keyval(void* copy, void* remove, int* keyval, const MPI_Aint* extra, int* ierror) {
  const DeadStack dead_stack;
  const auto [to_copy, to_remove] =
      functions_for_engine<Abi, MPI_Win_copy_attr_function, MPI_Win_delete_attr_function, MPI_Aint, MPI_Win>(
          {copy, remove});
  give_result<Abi>(ierror, entered::Win_create_keyval(fortran_place(), to_copy, to_remove, keyval,
                                                      record_of({copy, remove}, *extra, false)));
}

template <class Abi>
void keyval_create(void* copy, void* remove, int* keyval, const int* extra, int* ierror) {
  const DeadStack dead_stack;
  const auto [to_copy, to_remove] =
      functions_for_engine<Abi, MPI_Copy_function, MPI_Delete_function, int, MPI_Comm>({copy, remove});
  give_result<Abi>(ierror, entered::Keyval_create(fortran_place(), to_copy, to_remove, keyval,
                                                  record_of({copy, remove}, *extra, true)));
}

// ---- Values

template <class Abi>
void comm_set_attr(const int* comm, const int* keyval, const MPI_Aint* value, int* ierror) {
  const DeadStack dead_stack;
  give_result<Abi>(ierror, entered::Comm_set_attr(fortran_place(), handle_of<Abi, MPI_Comm>(comm), key_of<Abi>(keyval),
                                                  cell_of(*value)));
}

template <class Abi>
void type_set_attr(const int* type, const int* keyval, const MPI_Aint* value, int* ierror) {
  const DeadStack dead_stack;
  give_result<Abi>(ierror, entered::Type_set_attr(fortran_place(), handle_of<Abi, MPI_Datatype>(type),
                                                  key_of<Abi>(keyval), cell_of(*value)));
}

template <class Abi>
void win_set_attr(const int* win, const int* keyval, const MPI_Aint* value, int* ierror) {
  const DeadStack dead_stack;
  give_result<Abi>(ierror, entered::Win_set_attr(fortran_place(), handle_of<Abi, MPI_Win>(win), key_of<Abi>(keyval),
                                                 cell_of(*value)));
}

template <class Abi>
void attr_put(const int* comm, const int* keyval, const int* value, int* ierror) {
  const DeadStack dead_stack;
  give_result<Abi>(ierror, entered::Attr_put(fortran_place(), handle_of<Abi, MPI_Comm>(comm), key_of<Abi>(keyval),
                                             cell_of(*value)));
}

template <class Abi, class Integer>
void give_value(int key, void* kept, const int* flag, Integer* value) {
  if (*flag == 0) return;
  *value = static_cast<Integer>(key < first_key_of_program ? predefined_value<Abi>(key, kept) : value_of(kept));
}

template <class Abi>
void comm_get_attr(const int* comm, const int* keyval, MPI_Aint* value, int* flag, int* ierror) {
  const DeadStack dead_stack;
  void* kept = nullptr;
  int found = 0;
  const int result =
      entered::Comm_get_attr(fortran_place(), handle_of<Abi, MPI_Comm>(comm), key_of<Abi>(keyval), &kept, &found);
  if (result == MPI_SUCCESS) give_value<Abi>(key_of<Abi>(keyval), kept, &found, value);
  *flag = found;
  give_result<Abi>(ierror, result);
}

template <class Abi>
void type_get_attr(const int* type, const int* keyval, MPI_Aint* value, int* flag, int* ierror) {
  const DeadStack dead_stack;
  void* kept = nullptr;
  int found = 0;
  const int result =
      entered::Type_get_attr(fortran_place(), handle_of<Abi, MPI_Datatype>(type), key_of<Abi>(keyval), &kept, &found);
  if (result == MPI_SUCCESS) give_value<Abi>(key_of<Abi>(keyval), kept, &found, value);
  *flag = found;
  give_result<Abi>(ierror, result);
}

template <class Abi>
void win_get_attr(const int* win, const int* keyval, MPI_Aint* value, int* flag, int* ierror) {
  const DeadStack dead_stack;
  void* kept = nullptr;
  int found = 0;
  const int result =
      entered::Win_get_attr(fortran_place(), handle_of<Abi, MPI_Win>(win), key_of<Abi>(keyval), &kept, &found);
  if (result == MPI_SUCCESS) give_value<Abi>(key_of<Abi>(keyval), kept, &found, value);
  *flag = found;
  give_result<Abi>(ierror, result);
}

template <class Abi>
void attr_get(const int* comm, const int* keyval, int* value, int* flag, int* ierror) {
  const DeadStack dead_stack;
  void* kept = nullptr;
  int found = 0;
  const int result =
      entered::Attr_get(fortran_place(), handle_of<Abi, MPI_Comm>(comm), key_of<Abi>(keyval), &kept, &found);
  if (result == MPI_SUCCESS) give_value<Abi>(key_of<Abi>(keyval), kept, &found, value);
  *flag = found;
  give_result<Abi>(ierror, result);
}

}  // namespace

template <class Abi>
EntryList attribute_entries() {
  return {{"mpi_comm_create_keyval", entry_address(comm_create_keyval<Abi>)},
          {"mpi_type_create_keyval", entry_address(type_create_keyval<Abi>)},
          {"mpi_win_create_keyval", entry_address(win_create_keyval<Abi>)},
          {"mpi_keyval_create", entry_address(keyval_create<Abi>)},
          {"mpi_comm_set_attr", entry_address(comm_set_attr<Abi>)},
          {"mpi_type_set_attr", entry_address(type_set_attr<Abi>)},
          {"mpi_win_set_attr", entry_address(win_set_attr<Abi>)},
          {"mpi_attr_put", entry_address(attr_put<Abi>)},
          {"mpi_comm_get_attr", entry_address(comm_get_attr<Abi>)},
          {"mpi_type_get_attr", entry_address(type_get_attr<Abi>)},
          {"mpi_win_get_attr", entry_address(win_get_attr<Abi>)},
          {"mpi_attr_get", entry_address(attr_get<Abi>)},
          {"mpi_null_copy_fn", entry_address(null_copy<int>)},
          {"mpi_dup_fn", entry_address(duplicate<int>)},
          {"mpi_null_delete_fn", entry_address(null_remove<int>)},
          {"mpi_comm_null_copy_fn", entry_address(null_copy<MPI_Aint>)},
          {"mpi_comm_dup_fn", entry_address(duplicate<MPI_Aint>)},
          {"mpi_comm_null_delete_fn", entry_address(null_remove<MPI_Aint>)},
          {"mpi_type_null_copy_fn", entry_address(null_copy<MPI_Aint>)},
          {"mpi_type_dup_fn", entry_address(duplicate<MPI_Aint>)},
          {"mpi_type_null_delete_fn", entry_address(null_remove<MPI_Aint>)},
          {"mpi_win_null_copy_fn", entry_address(null_copy<MPI_Aint>)},
          {"mpi_win_dup_fn", entry_address(duplicate<MPI_Aint>)},
          {"mpi_win_null_delete_fn", entry_address(null_remove<MPI_Aint>)}};
}

template EntryList attribute_entries<Standard>();
template EntryList attribute_entries<foreign::MpichFortran>();
template EntryList attribute_entries<foreign::OpenMpiFortran>();

}  // namespace rehearse::smpi::fortran
