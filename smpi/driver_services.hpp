// SPDX-License-Identifier: MIT
//
// What the driver of a program does beyond the operations of simcore/operation.hpp, which all drivers carry out.
#pragma once

namespace rehearse::smpi {

struct DriverServices {
  bool windows_are_messages = false;  // it exchanges accesses to windows as messages (window_model.hpp)
  bool shares_memory = false;         // a rank may read and write the memory of other ranks while they are paused
  bool windows_are_separate = false;  // and windows have a public and a private copy (MPI_WIN_SEPARATE)
  bool has_disks = false;             // accesses to files take time (StorageAccess)
  bool threads_wait_apart = false;    // it waits for several threads of a rank at a time (Await, Work)
};

// Of the calling rank's program. On actors of other programs: none.
const DriverServices& driver_services();

inline bool windows_are_messages() { return driver_services().windows_are_messages; }

}  // namespace rehearse::smpi
