// SPDX-License-Identifier: MIT
//
// The view of a file: which bytes of it a rank sees, and in which order.
//
// Units:     displacements, extents and positions in bytes of the file; offsets of the program in etypes.
// Method:    the filetype, as a list of blocks, tiles the file from a displacement on. A position counts the bytes that
//            the view shows.
// Ownership: a view holds references to its datatypes, and is immutable.
// Errors:    none here; make_view() requires types that check_view() has accepted.
// Source:    MPI 5.0, 14.3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mpi.h"
#include "smpi/datatype/datatype.hpp"

namespace rehearse::smpi {

// Consecutive bytes of a file.
struct FileRange {
  std::int64_t begin = 0;
  std::int64_t bytes = 0;
  std::int64_t end() const { return begin + bytes; }
  bool operator==(const FileRange&) const = default;
};

// The form of data in a file. internal: the same as native here.
enum class FileForm : std::uint8_t { native, internal, external32 };

// A datatype, and the handle by which the program gave it.
struct ViewType {
  DatatypeRef type;
  MPI_Datatype handle = MPI_DATATYPE_NULL;
};

class FileView {
 public:
  // Every byte of the file, as MPI_BYTE.
  FileView();
  FileView(MPI_Offset displacement, ViewType etype, ViewType filetype, FileForm form);

  MPI_Offset displacement() const { return displacement_; }
  const ViewType& etype() const { return etype_; }
  const ViewType& filetype() const { return filetype_; }
  FileForm form() const { return form_; }
  std::int64_t etype_bytes() const { return etype_bytes_; }  // in the file
  // Bytes of the file that one tile shows. 0: the view shows nothing.
  std::int64_t tile_bytes() const { return tile_bytes_; }

  // The places of `bytes` bytes from a position on. Neighbours are merged.
  std::vector<FileRange> ranges(std::int64_t position, std::int64_t bytes) const;
  // The place of the byte at this position.
  std::int64_t place_of(std::int64_t position) const;
  // The number of bytes that the view shows before this place of the file.
  std::int64_t position_of(std::int64_t place) const;

 private:
  MPI_Offset displacement_ = 0;
  ViewType etype_, filetype_;
  FileForm form_ = FileForm::native;
  std::int64_t etype_bytes_ = 1;
  std::int64_t tile_bytes_ = 1, extent_ = 1;
  std::vector<FileRange> blocks_;     // of one tile, relative to its beginning, in the order of the data
  std::vector<std::int64_t> before_;  // by block: bytes of the blocks before it
};

// What is wrong with a view, as a text; empty: nothing. `writable`: the file may be written.
std::string fault_of_view(const Datatype& etype, const Datatype& filetype, FileForm form, bool writable);

// The bytes of one element in the file.
std::int64_t bytes_in_file(const Datatype& type, FileForm form);

// Whether two lists of ranges, each ascending, have a byte in common; if so, the first common piece.
bool overlap(std::span<const FileRange> a, std::span<const FileRange> b, FileRange& common);
// Ascending, without overlaps, touching ones merged.
std::vector<FileRange> sorted(std::vector<FileRange> ranges);

}  // namespace rehearse::smpi
