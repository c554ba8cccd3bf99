// SPDX-License-Identifier: MIT
//
// The calls on file pointers.
//
// Source: MPI 5.0, 14.4.3 and 14.4.4.
#include "simcore/support/format.hpp"
#include "smpi/abi/calls.hpp"
#include "smpi/arguments.hpp"
#include "smpi/error.hpp"
#include "smpi/file/exchange.hpp"
#include "smpi/file/file.hpp"
#include "smpi/file/shared_pointer.hpp"
#include "smpi/file/storage.hpp"

namespace rehearse::smpi {
namespace {

// The first etype of the view that lies behind the end of the file.
MPI_Offset end_of(File& file) {
  settle_date();
  note_size_use(file);
  const std::int64_t bytes = file.view.position_of(size_of_stored(file.descriptor));
  return (bytes + file.view.etype_bytes() - 1) / file.view.etype_bytes();
}

void check_seek(Arguments& check, File* file, int whence) {
  if (check.failed()) return;
  check.require(whence == MPI_SEEK_SET || whence == MPI_SEEK_CUR || whence == MPI_SEEK_END, MPI_ERR_ARG,
                [&] { return fmt::format("whence is {}, not MPI_SEEK_SET, MPI_SEEK_CUR or MPI_SEEK_END", whence); });
  check.require(file->view.filetype().type->size() > 0, MPI_ERR_IO, "the view of the file shows no bytes", "file.view");
  if (whence == MPI_SEEK_END) check_settled(check, file);
}

MPI_Offset target_of(File& file, MPI_Offset offset, int whence, MPI_Offset current) {
  if (whence == MPI_SEEK_SET) return offset;
  return offset + (whence == MPI_SEEK_CUR ? current : end_of(file));
}

void check_target(Arguments& check, MPI_Offset target) {
  check.require(
      target >= 0, MPI_ERR_ARG,
      [&] { return fmt::format("the pointer would be at {}, before the file's view", target); }, "file.view");
}

}  // namespace
}  // namespace rehearse::smpi

namespace rehearse::smpi::calls {

int File_seek(MPI_File fh, MPI_Offset offset, int whence) {
  Arguments check(fh);
  File* file = find_file(fh);
  check_seek(check, file, whence);
  if (check.failed()) return check.error();
  check.require(!file->has(MPI_MODE_SEQUENTIAL), MPI_ERR_UNSUPPORTED_OPERATION,
                "a file of MPI_MODE_SEQUENTIAL has no individual pointers");
  if (check.failed()) return check.error();
  const MPI_Offset target = target_of(*file, offset, whence, file->position);
  check_target(check, target);
  if (!check.failed()) file->position = target;
  return check.error();
}

int File_get_position(MPI_File fh, MPI_Offset* offset) {
  Arguments check(fh);
  check.pointer(offset, "offset");
  if (check.failed()) return check.error();
  check.require(!find_file(fh)->has(MPI_MODE_SEQUENTIAL), MPI_ERR_UNSUPPORTED_OPERATION,
                "a file of MPI_MODE_SEQUENTIAL has no individual pointers");
  if (!check.failed()) *offset = find_file(fh)->position;
  return check.error();
}

int File_get_byte_offset(MPI_File fh, MPI_Offset offset, MPI_Offset* disp) {
  Arguments check(fh);
  check.pointer(disp, "disp");
  check.require(
      offset >= 0, MPI_ERR_ARG, [&] { return fmt::format("offset is {}; it must not be negative", offset); },
      "file.view");
  check_settled(check, find_file(fh));
  if (check.failed()) return check.error();
  const FileView& view = find_file(fh)->view;
  *disp = view.place_of(offset * view.etype_bytes());
  return MPI_SUCCESS;
}

int File_seek_shared(MPI_File fh, MPI_Offset offset, int whence) {
  constexpr const char* call = "MPI_File_seek_shared";
  Arguments check(fh);
  File* file = find_file(fh);
  check_seek(check, file, whence);
  check_no_split(check, file);
  if (check.failed()) return check.error();
  check.require(!file->has(MPI_MODE_SEQUENTIAL), MPI_ERR_UNSUPPORTED_OPERATION,
                "the shared pointer of a file of MPI_MODE_SEQUENTIAL cannot be moved");
  if (check.failed()) return check.error();
  const int error = meet(*file, call, {"offset or whence", number_of({offset, whence})});
  const MPI_Offset current = agreed_shared_pointer(*file, call);
  const MPI_Offset target = number_of_first(*file, call, target_of(*file, offset, whence, current));
  check_target(check, target);
  if (check.failed()) return check.error();
  set_shared_pointer(*file, current, target);
  return error;
}

int File_get_position_shared(MPI_File fh, MPI_Offset* offset) {
  Arguments check(fh);
  check.pointer(offset, "offset");
  if (check.failed()) return check.error();
  settle_date();
  *offset = take_from_shared_pointer(*find_file(fh), 0);
  return MPI_SUCCESS;
}

}  // namespace rehearse::smpi::calls
