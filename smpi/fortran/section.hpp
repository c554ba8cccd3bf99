// SPDX-License-Identifier: MIT
//
// Buffers of mpi_f08: descriptors (`type(*), dimension(..)`), which may describe sections with gaps.
//
// Rule:   the datatypes of a call describe a virtual contiguous copy of the section. So a section with gaps is copied:
//         gathered before the call (or at each start of a persistent request), scattered when the call or the request
//         is complete. Only bytes that the operation changed are scattered, because the program may use the others.
// Limits: buffers whose use ends with neither (windows, one-sided and partitioned communication, attached buffers,
//         split collective file access) must have no gaps: otherwise the rank ends with unsupported.feature.
// Types:  the descriptor has the type of the elements, which check_element_types() compares with the datatype. Elements
//         of derived types are not known.
// Source: MPI 5.0, 19.1.12; ISO/IEC 1539-1:2018, 18.5 (the descriptor), in the layout of gfortran from version 9 on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "mpi.h"
#include "smpi/described_buffer.hpp"

namespace rehearse::smpi::fortran {

struct Dimension {
  std::int64_t lower_bound, extent, stride_bytes;
};

struct Descriptor {
  void* base;  // null: not allocated, and the rest means nothing
  std::size_t element_bytes;
  int version;
  std::int8_t rank, attribute;
  std::int16_t type;
  Dimension dimensions[15];  // `rank` of them

  char* text() const { return static_cast<char*>(base); }
};

class SectionCopy;

class Section {
 public:
  enum class Use { any, contiguous };
  Section(const Descriptor* descriptor, Use use, const char* function);

  // Where the virtual contiguous copy is.
  void* address() const { return address_; }

  // At the end of a call after which the buffer is the program's again.
  void finish() const;
  // After a call that returns a request, for the request. Null request: the call has failed.
  void keep(MPI_Request request, bool persistent) const;

 private:
  std::shared_ptr<SectionCopy> copy_;  // null: no gaps
  void* address_;
  DescribedBuffer described_;
};

}  // namespace rehearse::smpi::fortran
