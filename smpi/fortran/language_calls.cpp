// SPDX-License-Identifier: MIT
//
// Functions with another list of arguments in Fortran than in C, and those that only Fortran has.
//
// Source: MPI 5.0, 19.1 (MPI_SIZEOF, MPI_F_SYNC_REG, comparisons of handles), 19.3.5 (statuses); the lengths of
//         MPI_Info_get_string and MPI_Session_get_nth_pset count a NUL in C only.
#include <algorithm>
#include <cstring>

#include "smpi/abi/dead_stack.hpp"
#include "smpi/abi/entered.hpp"
#include "smpi/foreign/fortran_abi.hpp"
#include "smpi/fortran/conversion.hpp"
#include "smpi/fortran/entries.hpp"
#include "smpi/fortran/section.hpp"

namespace rehearse::smpi::fortran {
namespace {

template <class Abi>
void init(int* ierror) {
  const DeadStack dead_stack;
  give_result<Abi>(ierror, entered::Init(fortran_place(), nullptr, nullptr));
}

template <class Abi>
void init_thread(const int* required, int* provided, int* ierror) {
  const DeadStack dead_stack;
  ConstantVariable level(Abi::thread_levels, provided);
  const int wanted = ours_of(Abi::thread_levels, *required);
  const int result = entered::Init_thread(fortran_place(), nullptr, nullptr, wanted, level.address());
  level.write_back(result);
  give_result<Abi>(ierror, result);
}

void pcontrol(const int* level) {
  const DeadStack dead_stack;
  entered::Pcontrol(fortran_place(), *level);
}

double wtime() {
  const DeadStack dead_stack;
  return entered::Wtime(fortran_place());
}

double wtick() {
  const DeadStack dead_stack;
  return entered::Wtick(fortran_place());
}

MPI_Aint aint_add(const MPI_Aint* base, const MPI_Aint* displacement) { return *base + *displacement; }
MPI_Aint aint_diff(const MPI_Aint* first, const MPI_Aint* second) { return *first - *second; }

// ---- Strings with lengths

template <class Abi>
void info_get(const int* info, const char* f_key, const int* length, char* f_value, int* flag, int* ierror,
              std::size_t l_key, std::size_t l_value) {
  const DeadStack dead_stack;
  const Text key(f_key, l_key, Text::Blanks::at_both_ends);
  const std::size_t needed = *length > 0 ? static_cast<std::size_t>(*length) + 1 : 0;
  const TextResult value(f_value, l_value, needed);
  give_result<Abi>(ierror, entered::Info_get(fortran_place(), handle_of<Abi, MPI_Info>(info), key.text(), *length,
                                             value.buffer(), flag));
}

// The size of the buffer in C for a length in Fortran, which may be larger than the variable.
int size_for(int length, std::size_t room) {
  if (length <= 0) return length;
  return static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(length), room)) + 1;
}

template <class Abi>
void info_get_string(const int* info, const char* f_key, int* length, char* f_value, int* flag, int* ierror,
                     std::size_t l_key, std::size_t l_value) {
  const DeadStack dead_stack;
  const Text key(f_key, l_key, Text::Blanks::at_both_ends);
  const TextResult value(f_value, l_value);
  int size = size_for(*length, l_value), found = 0;
  const int result = entered::Info_get_string(fortran_place(), handle_of<Abi, MPI_Info>(info), key.text(), &size,
                                              value.buffer(), &found);
  if (result == MPI_SUCCESS && found != 0) *length = size - 1;
  *flag = found;
  give_result<Abi>(ierror, result);
}

template <class Abi>
void session_get_nth_pset(const int* session, const int* info, const int* n, int* length, char* f_name, int* ierror,
                          std::size_t l_name) {
  const DeadStack dead_stack;
  const TextResult name(f_name, l_name);
  int size = size_for(*length, l_name);
  const int result = entered::Session_get_nth_pset(fortran_place(), handle_of<Abi, MPI_Session>(session),
                                                   handle_of<Abi, MPI_Info>(info), *n, &size, name.buffer());
  if (result == MPI_SUCCESS) *length = size - 1;
  give_result<Abi>(ierror, result);
}

template <class Abi>
void info_create_env(int* f_info, int* ierror) {
  const DeadStack dead_stack;
  HandleVariable<Abi, MPI_Info> info(f_info);
  give_result<Abi>(ierror, entered::Info_create_env(fortran_place(), 0, nullptr, info.address()));
}

// ---- The end of attached buffers: mpi_f08 gets the address; in the other interfaces the argument is not used.

template <class Abi>
void* address_in_fortran(void* buffer) {
  return buffer == MPI_BUFFER_AUTOMATIC ? Abi::automatic_buffer() : buffer;
}

template <class Abi, class Size, class Detach>
int detach(void** result, Size* size, Detach&& call) {
  void* buffer = nullptr;
  const int code = call(&buffer, size);
  if (code == MPI_SUCCESS && result != nullptr) *result = address_in_fortran<Abi>(buffer);
  return code;
}

template <class Abi, class Size>
int detach_own(const CallPlace& here, void** result, Size* size) {
  return detach<Abi>(result, size, [&](void* buffer, auto* bytes) {
    if constexpr (sizeof(Size) == sizeof(int)) return entered::Buffer_detach(here, buffer, bytes);
    else return entered::Buffer_detach_c(here, buffer, bytes);
  });
}

template <class Abi, class Size>
int detach_comm(const CallPlace& here, const int* comm, void** result, Size* size) {
  return detach<Abi>(result, size, [&](void* buffer, auto* bytes) {
    if constexpr (sizeof(Size) == sizeof(int))
      return entered::Comm_detach_buffer(here, handle_of<Abi, MPI_Comm>(comm), buffer, bytes);
    else return entered::Comm_detach_buffer_c(here, handle_of<Abi, MPI_Comm>(comm), buffer, bytes);
  });
}

template <class Abi, class Size>
int detach_session(const CallPlace& here, const int* session, void** result, Size* size) {
  return detach<Abi>(result, size, [&](void* buffer, auto* bytes) {
    if constexpr (sizeof(Size) == sizeof(int))
      return entered::Session_detach_buffer(here, handle_of<Abi, MPI_Session>(session), buffer, bytes);
    else return entered::Session_detach_buffer_c(here, handle_of<Abi, MPI_Session>(session), buffer, bytes);
  });
}

template <class Abi, class Size, bool has_result>
void buffer_detach(void** buffer, Size* size, int* ierror) {
  const DeadStack dead_stack;
  give_result<Abi>(ierror, detach_own<Abi>(fortran_place(), has_result ? buffer : nullptr, size));
}

template <class Abi, class Size, bool has_result>
void comm_detach_buffer(const int* comm, void** buffer, Size* size, int* ierror) {
  const DeadStack dead_stack;
  give_result<Abi>(ierror, detach_comm<Abi>(fortran_place(), comm, has_result ? buffer : nullptr, size));
}

template <class Abi, class Size, bool has_result>
void session_detach_buffer(const int* session, void** buffer, Size* size, int* ierror) {
  const DeadStack dead_stack;
  give_result<Abi>(ierror, detach_session<Abi>(fortran_place(), session, has_result ? buffer : nullptr, size));
}

// ---- Only in Fortran

void f_sync_reg() {}

template <class Abi>
void copy_status(const int* from, int* to, int* ierror) {
  std::memcpy(to, from, sizeof(typename Abi::Status));
  give_result<Abi>(ierror, MPI_SUCCESS);
}

template <int bytes>
void size_of(const void*, int* size, int* ierror) {
  *size = bytes;
  give_result<Standard>(ierror, MPI_SUCCESS);
}

// The length of a string follows the other arguments.
void size_of_character(const void*, int* size, int* ierror, std::size_t length) {
  *size = static_cast<int>(length);
  give_result<Standard>(ierror, MPI_SUCCESS);
}

int are_equal(const int* left, const int* right) { return *left == *right ? 1 : 0; }
int are_different(const int* left, const int* right) { return *left != *right ? 1 : 0; }

template <class Abi>
int are_equal_statuses(const int* left, const int* right) {
  return std::memcmp(left, right, sizeof(typename Abi::Status)) == 0 ? 1 : 0;
}
template <class Abi>
int are_different_statuses(const int* left, const int* right) {
  return 1 - are_equal_statuses<Abi>(left, right);
}

EntryList size_entries() {
  return {{"mpi_sizeof_character1", entry_address(size_of_character)},
          {"mpi_sizeof_logical1", entry_address(size_of<1>)},
          {"mpi_sizeof_logical2", entry_address(size_of<2>)},
          {"mpi_sizeof_logical4", entry_address(size_of<4>)},
          {"mpi_sizeof_logical8", entry_address(size_of<8>)},
          {"mpi_sizeof_logical16", entry_address(size_of<16>)},
          {"mpi_sizeof_integer1", entry_address(size_of<1>)},
          {"mpi_sizeof_integer2", entry_address(size_of<2>)},
          {"mpi_sizeof_integer4", entry_address(size_of<4>)},
          {"mpi_sizeof_integer8", entry_address(size_of<8>)},
          {"mpi_sizeof_integer16", entry_address(size_of<16>)},
          {"mpi_sizeof_real4", entry_address(size_of<4>)},
          {"mpi_sizeof_real8", entry_address(size_of<8>)},
          {"mpi_sizeof_real10", entry_address(size_of<16>)},
          {"mpi_sizeof_real16", entry_address(size_of<16>)},
          {"mpi_sizeof_complex4", entry_address(size_of<8>)},
          {"mpi_sizeof_complex8", entry_address(size_of<16>)},
          {"mpi_sizeof_complex10", entry_address(size_of<32>)},
          {"mpi_sizeof_complex16", entry_address(size_of<32>)}};
}

}  // namespace

template <class Abi>
EntryList language_entries() {
  EntryList all = {{"mpi_init", entry_address(init<Abi>)},
                   {"mpi_init_thread", entry_address(init_thread<Abi>)},
                   {"mpi_pcontrol", entry_address(pcontrol)},
                   {"mpi_wtime", entry_address(wtime)},
                   {"mpi_wtick", entry_address(wtick)},
                   {"mpi_aint_add", entry_address(aint_add)},
                   {"mpi_aint_diff", entry_address(aint_diff)},
                   {"mpi_info_get", entry_address(info_get<Abi>)},
                   {"mpi_info_get_string", entry_address(info_get_string<Abi>)},
                   {"mpi_session_get_nth_pset", entry_address(session_get_nth_pset<Abi>)},
                   {"mpi_info_create_env", entry_address(info_create_env<Abi>)},
                   {"mpi_buffer_detach", entry_address(buffer_detach<Abi, int, false>)},
                   {"mpi_buffer_detach_f08", entry_address(buffer_detach<Abi, int, true>)},
                   {"mpi_buffer_detach_c_f08", entry_address(buffer_detach<Abi, MPI_Count, true>)},
                   {"mpi_comm_detach_buffer", entry_address(comm_detach_buffer<Abi, int, false>)},
                   {"mpi_comm_detach_buffer_f08", entry_address(comm_detach_buffer<Abi, int, true>)},
                   {"mpi_comm_detach_buffer_c_f08", entry_address(comm_detach_buffer<Abi, MPI_Count, true>)},
                   {"mpi_session_detach_buffer", entry_address(session_detach_buffer<Abi, int, false>)},
                   {"mpi_session_detach_buffer_f08", entry_address(session_detach_buffer<Abi, int, true>)},
                   {"mpi_session_detach_buffer_c_f08", entry_address(session_detach_buffer<Abi, MPI_Count, true>)},
                   {"mpi_f_sync_reg", entry_address(f_sync_reg)},
                   {"mpi_f_sync_reg_f08ts", entry_address(f_sync_reg)},
                   {"mpi_status_f2f08", entry_address(copy_status<Abi>)},
                   {"mpi_status_f082f", entry_address(copy_status<Abi>)},
                   {"mpi_status_eq", entry_address(are_equal_statuses<Abi>)},
                   {"mpi_status_ne", entry_address(are_different_statuses<Abi>)}};
  const EntryList sizes = size_entries();
  all.insert(all.end(), sizes.begin(), sizes.end());
  for (const std::string_view name :
       {"mpi_comm_eq", "mpi_datatype_eq", "mpi_errhandler_eq", "mpi_file_eq", "mpi_group_eq", "mpi_info_eq",
        "mpi_message_eq", "mpi_op_eq", "mpi_request_eq", "mpi_session_eq", "mpi_win_eq"})
    all.emplace_back(name, entry_address(are_equal));
  for (const std::string_view name :
       {"mpi_comm_ne", "mpi_datatype_ne", "mpi_errhandler_ne", "mpi_file_ne", "mpi_group_ne", "mpi_info_ne",
        "mpi_message_ne", "mpi_op_ne", "mpi_request_ne", "mpi_session_ne", "mpi_win_ne"})
    all.emplace_back(name, entry_address(are_different));
  return all;
}

template EntryList language_entries<Standard>();
template EntryList language_entries<foreign::MpichFortran>();
template EntryList language_entries<foreign::OpenMpiFortran>();

}  // namespace rehearse::smpi::fortran
