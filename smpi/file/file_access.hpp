// SPDX-License-Identifier: MIT
//
// One call that reads or writes a file.
//
// Effect:  a call reads or writes all its bytes when it starts. A nonblocking read stores its data into the program's
//          buffer when its request completes.
// Time:    that of the disks, if the driver knows them (access_time.hpp). A collective access also takes a barrier of
//          the members, which is not needed for its effect: before it reads, or after it has written.
// Source:  MPI 5.0, 14.4.
#pragma once

#include "mpi.h"
#include "smpi/file/file.hpp"

namespace rehearse::smpi {

enum class FilePointer : std::uint8_t { offset, individual, shared, ordered };
enum class AccessForm : std::uint8_t { blocking, nonblocking, split };

struct FileAccess {
  const char* call;  // of a split collective without "_begin"
  MPI_File fh;
  bool writes = false;
  FilePointer pointer = FilePointer::individual;
  AccessForm form = AccessForm::blocking;
  bool is_collective = false;
  MPI_Offset offset = 0;
  void* buffer = nullptr;
  MPI_Count count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Status* status = MPI_STATUS_IGNORE;
  MPI_Request* request = nullptr;
};

int access_file(const FileAccess& access);

// The second call of a split collective.
int end_split(MPI_File fh, const char* call, const void* buffer, MPI_Status* status);

}  // namespace rehearse::smpi
