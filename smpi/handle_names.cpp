// SPDX-License-Identifier: MIT
//
// See abi/handle_names.hpp. Communicators and datatypes have their own descriptions. Other handles are named by the
// call that made them, or by their purpose.
#include "smpi/abi/handle_names.hpp"

#include "simcore/actor.hpp"
#include "simcore/support/format.hpp"
#include "smpi/communicator/communicator.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/op/op.hpp"
#include "smpi/per_rank.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {
namespace {

template <class Handle>
Handle as_handle(std::uint64_t value) {
  return reinterpret_cast<Handle>(static_cast<std::uintptr_t>(value));
}

std::string peer_text(const Request& request) {
  const int peer = request.transfer.peer;
  if (peer == MPI_ANY_SOURCE) return "any rank";
  if (peer == MPI_PROC_NULL) return "MPI_PROC_NULL";
  return fmt::format("rank {}", peer);
}

std::string name_of_request(const Request& request) {
  if (request.extra && request.extra->is_of_file) return "access to a file";
  switch (request.kind) {
    case Request::Kind::send: return "send to " + peer_text(request);
    case Request::Kind::receive: return "receive from " + peer_text(request);
    case Request::Kind::compound: return "messages on " + request.communicator->description();
    case Request::Kind::generalized: return "generalized request";
    case Request::Kind::one_sided: return "access to a window";
    case Request::Kind::collective: return "collective on " + request.communicator->description();
  }
  return {};
}

// Whether the rank has the table. A report must not change the rank, so it creates no table.
template <class Table>
bool is_made() {
  return find_per_rank<Table>() != nullptr;
}

std::string name_of_communicator(MPI_Comm handle) {
  if (!is_made<Communicators>()) return {};
  const Communicator* communicator = find_communicator(handle);
  return communicator == nullptr ? std::string() : communicator->description();
}

std::string name_of_datatype(MPI_Datatype handle) {
  if (!is_made<DatatypeTable>()) return {};
  const Datatype* type = find_datatype(handle);
  return type == nullptr ? std::string() : describe(*type);
}

std::string name_of_op(MPI_Op handle) {
  if (!is_made<OpTable>()) return {};
  const Op* op = find_op(handle);
  return op == nullptr ? std::string() : op->name();
}

std::string name_of_request(MPI_Request handle) {
  if (!is_made<RequestTables>()) return {};
  const Request* request = find_request(handle);
  return request == nullptr ? std::string() : name_of_request(*request);
}

}  // namespace

bool has_absolute_addresses(std::uint64_t datatype) {
  constexpr std::int64_t lowest_address = 0x10000;  // nothing of a program is mapped below (vm.mmap_min_addr)
  if (!in_actor() || datatype < 0x1000 || !is_made<DatatypeTable>()) return false;
  const Datatype* type = find_datatype(as_handle<MPI_Datatype>(datatype));
  return type != nullptr && (type->true_lower_bound() >= lowest_address || type->true_lower_bound() < 0);
}

std::string name_of_handle(Kind kind, std::uint64_t value) {
  if (!in_actor()) return {};
  switch (kind) {
    case Kind::comm: return name_of_communicator(as_handle<MPI_Comm>(value));
    case Kind::datatype: return name_of_datatype(as_handle<MPI_Datatype>(value));
    case Kind::op: return name_of_op(as_handle<MPI_Op>(value));
    case Kind::request: return name_of_request(as_handle<MPI_Request>(value));
    default: return {};
  }
}

}  // namespace rehearse::smpi
