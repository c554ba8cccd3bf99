// SPDX-License-Identifier: MIT
//
// Calls that are not supported in programs whose processes can fail.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "smpi/abi/api.hpp"
#include "smpi/abi/call_scope.hpp"
#include "smpi/error.hpp"

namespace rehearse::smpi {
namespace {

constexpr std::array<std::string_view, 20> refused = {
    "MPI_Comm_accept",  "MPI_Comm_connect", "MPI_Comm_join",
    "MPI_Comm_spawn",   "MPI_File_open",    "MPI_Improbe",
    "MPI_Ineighbor_",   "MPI_Intercomm_",   "MPI_Iprobe",
    "MPI_Mprobe",       "MPI_Neighbor_",    "MPI_Precv_init",
    "MPI_Probe",        "MPI_Psend_init",   "MPI_Session_init",
    "MPI_Win_allocate", "MPI_Win_create",   "MPI_Comm_create_from_group",
    "MPI_Comm_idup",    "MPI_Cancel"};

}  // namespace

void refuse_with_failures(std::uint16_t function) {
  const std::string_view name = functions()[function].name;
  if (std::ranges::any_of(refused, [&](std::string_view begin) { return name.starts_with(begin); }))
    unsupported(std::string(name) + " where processes can fail (--failures, --fail, hosts that go off)");
}

}  // namespace rehearse::smpi
