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
//         The procedures of MPICH's mpi_f08 are not bind(C), so they get gfortran's own descriptors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "mpi.h"
#include "smpi/described_buffer.hpp"
#include "smpi/fortran/standard_abi.hpp"

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

// Of an argument of a procedure that is not bind(C).
struct GfortranDescriptor {
  struct Dimension {
    std::int64_t stride, lower_bound, upper_bound;  // the stride counts spans
  };

  void* base;
  std::int64_t offset;
  std::size_t element_bytes;
  int version;
  std::int8_t rank, type;
  std::int16_t attribute;
  std::int64_t span;  // bytes between elements with a stride of one; 0: those of an element
  Dimension dimensions[15];
};

Descriptor descriptor_of(const GfortranDescriptor& given);

template <class Abi>
using DescriptorOf = std::conditional_t<Abi::descriptors == Descriptors::of_gfortran, GfortranDescriptor, Descriptor>;

// The descriptor that a procedure gets, as one of C.
class ConvertedDescriptor {
 public:
  explicit ConvertedDescriptor(const GfortranDescriptor* given) : converted_(descriptor_of(*given)) {}
  const Descriptor* get() const { return &converted_; }

 private:
  Descriptor converted_;
};

class GivenDescriptor {
 public:
  explicit GivenDescriptor(const Descriptor* given) : given_(given) {}
  const Descriptor* get() const { return given_; }

 private:
  const Descriptor* given_;
};

template <class Abi>
using Described =
    std::conditional_t<Abi::descriptors == Descriptors::of_gfortran, ConvertedDescriptor, GivenDescriptor>;

class SectionCopy;

class Section {
 public:
  enum class Use { any, contiguous };
  // `choice`: the base as an argument of C, which differs from it if it is MPI_IN_PLACE or MPI_BOTTOM.
  Section(const Descriptor* descriptor, void* choice, Use use, const char* function);

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
