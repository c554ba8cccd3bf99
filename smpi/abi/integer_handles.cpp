// SPDX-License-Identifier: MIT
//
// The table of handles that have a number.
#include "smpi/abi/integer_handles.hpp"

#include <cstdint>
#include <map>
#include <vector>

#include "smpi/abi/calls.hpp"
#include "smpi/per_rank.hpp"

namespace rehearse::smpi {
namespace {

constexpr int first_number = 0x1000;  // of a handle that is not predefined

struct Numbers {
  std::vector<const void*> handles;
  std::map<const void*, int> numbers;
};

}  // namespace

int integer_of_handle(const void* handle) {
  const auto word = reinterpret_cast<std::uintptr_t>(handle);
  if (word < first_number) return static_cast<int>(word);
  auto& table = per_rank<Numbers>();
  const auto [at, is_new] = table.numbers.try_emplace(handle, first_number + static_cast<int>(table.handles.size()));
  if (is_new) table.handles.push_back(handle);
  return at->second;
}

void* handle_of_integer(int number) {
  if (number < 0) return nullptr;
  if (number < first_number) return reinterpret_cast<void*>(static_cast<std::uintptr_t>(number));
  const auto& handles = per_rank<Numbers>().handles;
  const auto index = static_cast<std::size_t>(number - first_number);
  return index < handles.size() ? const_cast<void*>(handles[index]) : nullptr;
}

}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {
namespace {

// A number without a handle becomes the null handle of the class.
template <class Handle>
Handle from_integer(int number, Handle null) {
  void* handle = handle_of_integer(number);
  return handle == nullptr ? null : static_cast<Handle>(handle);
}

}  // namespace

int Comm_toint(MPI_Comm comm) { return integer_of_handle(comm); }
int Errhandler_toint(MPI_Errhandler errhandler) { return integer_of_handle(errhandler); }
int File_toint(MPI_File file) { return integer_of_handle(file); }
int Group_toint(MPI_Group group) { return integer_of_handle(group); }
int Info_toint(MPI_Info info) { return integer_of_handle(info); }
int Message_toint(MPI_Message message) { return integer_of_handle(message); }
int Op_toint(MPI_Op op) { return integer_of_handle(op); }
int Request_toint(MPI_Request request) { return integer_of_handle(request); }
int Session_toint(MPI_Session session) { return integer_of_handle(session); }
int Type_toint(MPI_Datatype datatype) { return integer_of_handle(datatype); }
int Win_toint(MPI_Win win) { return integer_of_handle(win); }

MPI_Comm Comm_fromint(int comm) { return from_integer(comm, MPI_COMM_NULL); }
MPI_Errhandler Errhandler_fromint(int errhandler) { return from_integer(errhandler, MPI_ERRHANDLER_NULL); }
MPI_File File_fromint(int file) { return from_integer(file, MPI_FILE_NULL); }
MPI_Group Group_fromint(int group) { return from_integer(group, MPI_GROUP_NULL); }
MPI_Info Info_fromint(int info) { return from_integer(info, MPI_INFO_NULL); }
MPI_Message Message_fromint(int message) { return from_integer(message, MPI_MESSAGE_NULL); }
MPI_Op Op_fromint(int op) { return from_integer(op, MPI_OP_NULL); }
MPI_Request Request_fromint(int request) { return from_integer(request, MPI_REQUEST_NULL); }
MPI_Session Session_fromint(int session) { return from_integer(session, MPI_SESSION_NULL); }
MPI_Datatype Type_fromint(int datatype) { return from_integer(datatype, MPI_DATATYPE_NULL); }
MPI_Win Win_fromint(int win) { return from_integer(win, MPI_WIN_NULL); }

}  // namespace rehearse::smpi::calls
