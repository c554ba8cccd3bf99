// SPDX-License-Identifier: MIT
//
// The calls that read and write files. The entry points with int counts call the large-count forms.
//
// Source: MPI 5.0, 14.4.
#include "smpi/abi/calls.hpp"
#include "smpi/datatype/pack.hpp"
#include "smpi/file/file_access.hpp"

namespace rehearse::smpi::calls {

int File_iread_c(MPI_File fh, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Request* request) {
  return access_file({"MPI_File_iread", fh, false, FilePointer::individual, AccessForm::nonblocking, false, 0, buf,
                      count, datatype, MPI_STATUS_IGNORE, request});
}

int File_iread_all_c(MPI_File fh, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Request* request) {
  return access_file({"MPI_File_iread_all", fh, false, FilePointer::individual, AccessForm::nonblocking, true, 0, buf,
                      count, datatype, MPI_STATUS_IGNORE, request});
}

int File_iread_at_c(MPI_File fh, MPI_Offset offset, void* buf, MPI_Count count, MPI_Datatype datatype,
                    MPI_Request* request) {
  return access_file({"MPI_File_iread_at", fh, false, FilePointer::offset, AccessForm::nonblocking, false, offset, buf,
                      count, datatype, MPI_STATUS_IGNORE, request});
}

int File_iread_at_all_c(MPI_File fh, MPI_Offset offset, void* buf, MPI_Count count, MPI_Datatype datatype,
                        MPI_Request* request) {
  return access_file({"MPI_File_iread_at_all", fh, false, FilePointer::offset, AccessForm::nonblocking, true, offset,
                      buf, count, datatype, MPI_STATUS_IGNORE, request});
}

int File_iread_shared_c(MPI_File fh, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Request* request) {
  return access_file({"MPI_File_iread_shared", fh, false, FilePointer::shared, AccessForm::nonblocking, false, 0, buf,
                      count, datatype, MPI_STATUS_IGNORE, request});
}

int File_iwrite_c(MPI_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Request* request) {
  return access_file({"MPI_File_iwrite", fh, true, FilePointer::individual, AccessForm::nonblocking, false, 0,
                      writable(buf), count, datatype, MPI_STATUS_IGNORE, request});
}

int File_iwrite_all_c(MPI_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Request* request) {
  return access_file({"MPI_File_iwrite_all", fh, true, FilePointer::individual, AccessForm::nonblocking, true, 0,
                      writable(buf), count, datatype, MPI_STATUS_IGNORE, request});
}

int File_iwrite_at_c(MPI_File fh, MPI_Offset offset, const void* buf, MPI_Count count, MPI_Datatype datatype,
                     MPI_Request* request) {
  return access_file({"MPI_File_iwrite_at", fh, true, FilePointer::offset, AccessForm::nonblocking, false, offset,
                      writable(buf), count, datatype, MPI_STATUS_IGNORE, request});
}

int File_iwrite_at_all_c(MPI_File fh, MPI_Offset offset, const void* buf, MPI_Count count, MPI_Datatype datatype,
                         MPI_Request* request) {
  return access_file({"MPI_File_iwrite_at_all", fh, true, FilePointer::offset, AccessForm::nonblocking, true, offset,
                      writable(buf), count, datatype, MPI_STATUS_IGNORE, request});
}

int File_iwrite_shared_c(MPI_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Request* request) {
  return access_file({"MPI_File_iwrite_shared", fh, true, FilePointer::shared, AccessForm::nonblocking, false, 0,
                      writable(buf), count, datatype, MPI_STATUS_IGNORE, request});
}

int File_read_c(MPI_File fh, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Status* status) {
  return access_file({"MPI_File_read", fh, false, FilePointer::individual, AccessForm::blocking, false, 0, buf, count,
                      datatype, status});
}

int File_read_all_c(MPI_File fh, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Status* status) {
  return access_file({"MPI_File_read_all", fh, false, FilePointer::individual, AccessForm::blocking, true, 0, buf,
                      count, datatype, status});
}

int File_read_all_begin_c(MPI_File fh, void* buf, MPI_Count count, MPI_Datatype datatype) {
  return access_file({"MPI_File_read_all", fh, false, FilePointer::individual, AccessForm::split, true, 0, buf, count,
                      datatype, MPI_STATUS_IGNORE});
}

int File_read_all_end(MPI_File fh, void* buf, MPI_Status* status) {
  return end_split(fh, "MPI_File_read_all", buf, status);
}

int File_read_at_c(MPI_File fh, MPI_Offset offset, void* buf, MPI_Count count, MPI_Datatype datatype,
                   MPI_Status* status) {
  return access_file({"MPI_File_read_at", fh, false, FilePointer::offset, AccessForm::blocking, false, offset, buf,
                      count, datatype, status});
}

int File_read_at_all_c(MPI_File fh, MPI_Offset offset, void* buf, MPI_Count count, MPI_Datatype datatype,
                       MPI_Status* status) {
  return access_file({"MPI_File_read_at_all", fh, false, FilePointer::offset, AccessForm::blocking, true, offset, buf,
                      count, datatype, status});
}

int File_read_at_all_begin_c(MPI_File fh, MPI_Offset offset, void* buf, MPI_Count count, MPI_Datatype datatype) {
  return access_file({"MPI_File_read_at_all", fh, false, FilePointer::offset, AccessForm::split, true, offset, buf,
                      count, datatype, MPI_STATUS_IGNORE});
}

int File_read_at_all_end(MPI_File fh, void* buf, MPI_Status* status) {
  return end_split(fh, "MPI_File_read_at_all", buf, status);
}

int File_read_ordered_c(MPI_File fh, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Status* status) {
  return access_file({"MPI_File_read_ordered", fh, false, FilePointer::ordered, AccessForm::blocking, true, 0, buf,
                      count, datatype, status});
}

int File_read_ordered_begin_c(MPI_File fh, void* buf, MPI_Count count, MPI_Datatype datatype) {
  return access_file({"MPI_File_read_ordered", fh, false, FilePointer::ordered, AccessForm::split, true, 0, buf, count,
                      datatype, MPI_STATUS_IGNORE});
}

int File_read_ordered_end(MPI_File fh, void* buf, MPI_Status* status) {
  return end_split(fh, "MPI_File_read_ordered", buf, status);
}

int File_read_shared_c(MPI_File fh, void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Status* status) {
  return access_file({"MPI_File_read_shared", fh, false, FilePointer::shared, AccessForm::blocking, false, 0, buf,
                      count, datatype, status});
}

int File_write_c(MPI_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Status* status) {
  return access_file({"MPI_File_write", fh, true, FilePointer::individual, AccessForm::blocking, false, 0,
                      writable(buf), count, datatype, status});
}

int File_write_all_c(MPI_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Status* status) {
  return access_file({"MPI_File_write_all", fh, true, FilePointer::individual, AccessForm::blocking, true, 0,
                      writable(buf), count, datatype, status});
}

int File_write_all_begin_c(MPI_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype) {
  return access_file({"MPI_File_write_all", fh, true, FilePointer::individual, AccessForm::split, true, 0,
                      writable(buf), count, datatype, MPI_STATUS_IGNORE});
}

int File_write_all_end(MPI_File fh, const void* buf, MPI_Status* status) {
  return end_split(fh, "MPI_File_write_all", buf, status);
}

int File_write_at_c(MPI_File fh, MPI_Offset offset, const void* buf, MPI_Count count, MPI_Datatype datatype,
                    MPI_Status* status) {
  return access_file({"MPI_File_write_at", fh, true, FilePointer::offset, AccessForm::blocking, false, offset,
                      writable(buf), count, datatype, status});
}

int File_write_at_all_c(MPI_File fh, MPI_Offset offset, const void* buf, MPI_Count count, MPI_Datatype datatype,
                        MPI_Status* status) {
  return access_file({"MPI_File_write_at_all", fh, true, FilePointer::offset, AccessForm::blocking, true, offset,
                      writable(buf), count, datatype, status});
}

int File_write_at_all_begin_c(MPI_File fh, MPI_Offset offset, const void* buf, MPI_Count count, MPI_Datatype datatype) {
  return access_file({"MPI_File_write_at_all", fh, true, FilePointer::offset, AccessForm::split, true, offset,
                      writable(buf), count, datatype, MPI_STATUS_IGNORE});
}

int File_write_at_all_end(MPI_File fh, const void* buf, MPI_Status* status) {
  return end_split(fh, "MPI_File_write_at_all", buf, status);
}

int File_write_ordered_c(MPI_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Status* status) {
  return access_file({"MPI_File_write_ordered", fh, true, FilePointer::ordered, AccessForm::blocking, true, 0,
                      writable(buf), count, datatype, status});
}

int File_write_ordered_begin_c(MPI_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype) {
  return access_file({"MPI_File_write_ordered", fh, true, FilePointer::ordered, AccessForm::split, true, 0,
                      writable(buf), count, datatype, MPI_STATUS_IGNORE});
}

int File_write_ordered_end(MPI_File fh, const void* buf, MPI_Status* status) {
  return end_split(fh, "MPI_File_write_ordered", buf, status);
}

int File_write_shared_c(MPI_File fh, const void* buf, MPI_Count count, MPI_Datatype datatype, MPI_Status* status) {
  return access_file({"MPI_File_write_shared", fh, true, FilePointer::shared, AccessForm::blocking, false, 0,
                      writable(buf), count, datatype, status});
}

}  // namespace rehearse::smpi::calls
