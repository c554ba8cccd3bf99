// SPDX-License-Identifier: MIT
//
// The view of a file: which bytes of it a rank sees, and in which order.
//
// Units:     displacements, extents and positions in bytes of the file; offsets of the program in etypes.
// Method:    the filetype, as it lies in the file, tiles the file from a displacement on. A position counts the bytes
//            that the view shows.
// Laziness:  functions of the program give the sizes of a registered data representation, and they may run in accesses
//            only. So a view learns its layout in settle(), which all other functions on places require.
// Ownership: a view holds references to its datatypes.
// Source:    MPI 5.0, 14.3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mpi.h"
#include "smpi/datatype/datatype.hpp"
#include "smpi/file/data_form.hpp"

namespace rehearse::smpi {

// Consecutive bytes of a file.
struct FileRange {
  std::int64_t begin = 0;
  std::int64_t bytes = 0;
  std::int64_t end() const { return begin + bytes; }
  bool operator==(const FileRange&) const = default;
};

// A datatype, and the handle by which the program gave it.
struct ViewType {
  DatatypeRef type;
  MPI_Datatype handle = MPI_DATATYPE_NULL;
};

class FileView {
 public:
  // Every byte of the file, as MPI_BYTE.
  FileView();
  // Settled, unless the program registered the form.
  FileView(MPI_Offset displacement, ViewType etype, ViewType filetype, const DataForm& form);

  // Learns the layout if it is not known. An error text (MPI_ERR_CONVERSION) or nothing.
  std::string settle();
  bool is_settled() const { return is_settled_; }
  // What is wrong with the view; empty: nothing. `writable`: the file may be written. Requires: it is settled.
  std::string fault(bool writable) const;

  MPI_Offset displacement() const { return displacement_; }
  const ViewType& etype() const { return etype_; }
  const ViewType& filetype() const { return filetype_; }
  const DataForm& form() const { return *form_; }
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
  void lay_out();

  MPI_Offset displacement_ = 0;
  ViewType etype_, filetype_;
  const DataForm* form_ = nullptr;
  bool is_settled_ = false;
  DatatypeRef tile_;  // the filetype in the file
  std::int64_t etype_bytes_ = 1;
  std::int64_t tile_bytes_ = 1, extent_ = 1;
  std::vector<FileRange> blocks_;     // of one tile, relative to its beginning, in the order of the data
  std::vector<std::int64_t> before_;  // by block: bytes of the blocks before it
};

// Whether two lists of ranges, each ascending, have a byte in common; if so, the first common piece.
bool overlap(std::span<const FileRange> a, std::span<const FileRange> b, FileRange& common);
// Ascending, without overlaps, touching ones merged.
std::vector<FileRange> sorted(std::vector<FileRange> ranges);

}  // namespace rehearse::smpi
