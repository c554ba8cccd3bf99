// SPDX-License-Identifier: MIT
//
// MPI functions that need no driver: addresses, the ABI's version and sizes, statuses for Fortran.
#include <cstdint>
#include <cstring>
#include <string>

#include "smpi/abi/calls.hpp"

namespace rehearse::smpi::calls {

MPI_Aint Aint_add(MPI_Aint base, MPI_Aint disp) {
  return static_cast<MPI_Aint>(static_cast<std::uintptr_t>(base) + static_cast<std::uintptr_t>(disp));
}

MPI_Aint Aint_diff(MPI_Aint addr1, MPI_Aint addr2) {
  return static_cast<MPI_Aint>(static_cast<std::uintptr_t>(addr1) - static_cast<std::uintptr_t>(addr2));
}

int Abi_get_version(int* abi_major, int* abi_minor) {
  *abi_major = MPI_ABI_VERSION;
  *abi_minor = MPI_ABI_SUBVERSION;
  return MPI_SUCCESS;
}

int Abi_get_info(MPI_Info* info) {
  Info_create(info);
  Info_set(*info, "mpi_aint_size", std::to_string(sizeof(MPI_Aint)).c_str());
  Info_set(*info, "mpi_count_size", std::to_string(sizeof(MPI_Count)).c_str());
  Info_set(*info, "mpi_offset_size", std::to_string(sizeof(MPI_Offset)).c_str());
  return MPI_SUCCESS;
}

// A status of Fortran is the status of C, word by word.
static_assert(sizeof(MPI_Status) == MPI_F_STATUS_SIZE * sizeof(MPI_Fint));

int Status_c2f(const MPI_Status* c_status, MPI_Fint* f_status) {
  std::memcpy(f_status, c_status, sizeof *c_status);
  return MPI_SUCCESS;
}

int Status_f2c(const MPI_Fint* f_status, MPI_Status* c_status) {
  std::memcpy(c_status, f_status, sizeof *c_status);
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
