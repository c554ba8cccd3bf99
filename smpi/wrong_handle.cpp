// SPDX-License-Identifier: MIT
//
// See wrong_handle.hpp.
#include "smpi/wrong_handle.hpp"

#include <cstdint>
#include <string_view>

#include "simcore/support/format.hpp"
#include "smpi/abi/integer_handles.hpp"
#include "smpi/communicator/communicator.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/environment/session.hpp"
#include "smpi/group/group.hpp"
#include "smpi/handle_registry.hpp"
#include "smpi/info/info.hpp"
#include "smpi/op/op.hpp"
#include "smpi/process/rank_state.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {
namespace {

constexpr Kind handle_kinds[] = {Kind::comm,    Kind::datatype, Kind::errhandler, Kind::file,
                                 Kind::group,   Kind::info,     Kind::message,    Kind::op,
                                 Kind::request, Kind::session,  Kind::win};

std::string_view noun(Kind kind) {
  switch (kind) {
    case Kind::comm: return "communicator";
    case Kind::datatype: return "datatype";
    case Kind::errhandler: return "error handler";
    case Kind::file: return "file";
    case Kind::group: return "group";
    case Kind::info: return "info object";
    case Kind::message: return "message";
    case Kind::op: return "operator";
    case Kind::request: return "request";
    case Kind::session: return "session";
    default: return "window";
  }
}

std::string with_article(Kind kind) {
  const std::string_view name = noun(kind);
  const bool vowel = std::string_view("aeio").find(name[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(name);
}

template <class Handle>
Handle as(const void* handle) {
  return static_cast<Handle>(const_cast<void*>(handle));
}

// Whether the handle is a live object of this kind. Covers only kinds that programs often confuse.
bool is_live(Kind kind, const void* handle) {
  switch (kind) {
    case Kind::comm: return find_communicator(as<MPI_Comm>(handle)) != nullptr;
    case Kind::datatype: return find_datatype(as<MPI_Datatype>(handle)) != nullptr;
    case Kind::group: return find_group(as<MPI_Group>(handle)) != nullptr;
    case Kind::info: return infos().find(as<MPI_Info>(handle)) != nullptr;
    case Kind::op: return find_op(as<MPI_Op>(handle)) != nullptr;
    case Kind::request: return find_request(as<MPI_Request>(handle)) != nullptr;
    case Kind::session: return sessions().find(as<MPI_Session>(handle)) != nullptr;
    default: return false;
  }
}

std::string predefined_text(Kind wanted, std::int64_t value, const std::string& role) {
  if (const ConstantInfo* own = find_constant(wanted, value); own != nullptr && value != 0)
    return role + " is " + std::string(own->name);
  for (const Kind kind : handle_kinds)
    if (const ConstantInfo* other = find_constant(kind, value); other != nullptr && value != 0)
      return std::string(other->name) + " was passed as " + role;
  return fmt::format("{}, which is not a handle, was passed as {}", value, role);
}

// MPICH's predefined handles have 01 in the highest bits of an int. They are known in programs that are translated.
bool is_of_mpich(const void* handle, std::uint32_t& value) {
  const RankState* rank = running_rank();
  if (rank == nullptr || rank->world->images.foreign.has_value()) return false;
  value = integer_of_no_handle(handle).value_or(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(handle)));
  const bool is_int = integer_of_no_handle(handle) || reinterpret_cast<std::uintptr_t>(handle) == value;
  return is_int && value >> 30 == 1;
}

}  // namespace

std::string wrong_handle(Kind wanted, const void* handle) {
  const std::string role = "the " + std::string(noun(wanted));
  if (is_predefined_handle(handle))
    return predefined_text(wanted, static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(handle)), role);
  for (const Kind kind : handle_kinds)
    if (kind != wanted && is_live(kind, handle)) return with_article(kind) + " was passed as " + role;
  if (std::uint32_t value = 0; is_of_mpich(handle, value))
    return fmt::format("{} is {:#x}, a constant of MPICH; compile all of the program with Rehearse's wrapper compilers",
                       role, value);
  return role + " was freed or never existed";
}

}  // namespace rehearse::smpi
