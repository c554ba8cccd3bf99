// SPDX-License-Identifier: MIT
//
// The table of handles that have an integer: for each kind and slot, the handle that was converted last.
#include "smpi/abi/integer_handles.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include "smpi/abi/calls.hpp"
#include "smpi/per_rank.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::uintptr_t first_dynamic = 0x1000;
constexpr std::size_t kinds = 16;
constexpr unsigned slot_shift = 4, generation_shift = 24;
constexpr std::uintptr_t slot_mask = 0xfffff, kind_mask = 0xf, kept_generations = 0x7f;
constexpr std::uintptr_t never_a_handle = std::uintptr_t{1} << 62;

using Slots = std::vector<std::uintptr_t>;

// The handle that each slot had at its last conversion; 0: none yet.
struct IntegerHandles {
  std::array<Slots, kinds> by_kind;
};

Slots& slots_of(std::uintptr_t bits) { return per_rank<IntegerHandles>().by_kind[bits & kind_mask]; }

std::size_t index_of_slot(std::uintptr_t bits) { return (bits >> slot_shift) & slot_mask; }

std::uintptr_t generation_of(std::uintptr_t bits) { return bits >> generation_shift; }

}  // namespace

int integer_of_handle(const void* handle) {
  const auto word = reinterpret_cast<std::uintptr_t>(handle);
  if (word < first_dynamic) return static_cast<int>(word);
  Slots& slots = slots_of(word);
  const std::size_t index = index_of_slot(word);
  if (index >= slots.size()) slots.resize(index + 1);
  slots[index] = word;
  constexpr std::uintptr_t kept_bits = (kept_generations << generation_shift) | (slot_mask << slot_shift) | kind_mask;
  return static_cast<int>(word & kept_bits);
}

void* handle_of_integer(int number) {
  if (number < 0) return nullptr;
  const auto word = static_cast<std::uintptr_t>(number);
  if (word < first_dynamic) return reinterpret_cast<void*>(word);
  const Slots& slots = slots_of(word);
  const std::size_t index = index_of_slot(word);
  if (index >= slots.size() || slots[index] == 0) return nullptr;
  // The last generation of the slot that has these bits and has been converted.
  const std::uintptr_t behind = (generation_of(slots[index]) - generation_of(word)) & kept_generations;
  return reinterpret_cast<void*>(slots[index] - (behind << generation_shift));
}

void* argument_of_integer(int number) {
  void* handle = handle_of_integer(number);
  const auto word = static_cast<std::uintptr_t>(static_cast<std::uint32_t>(number));
  return handle != nullptr || number == 0 ? handle : reinterpret_cast<void*>(never_a_handle | word);
}

std::optional<std::uint32_t> integer_of_no_handle(const void* handle) {
  const auto word = reinterpret_cast<std::uintptr_t>(handle);
  if ((word & ~std::uintptr_t{UINT32_MAX}) != never_a_handle) return std::nullopt;
  return static_cast<std::uint32_t>(word);
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
