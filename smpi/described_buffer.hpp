// SPDX-License-Identifier: MIT
//
// Buffers whose elements the caller describes: those of mpi_f08, by the type in their descriptors. No debugging
// information is needed for them.
//
// Ownership: objects form a stack of the rank, as the calls that make them do.
// Threads:   only on a rank.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simcore/debug_variables.hpp"

namespace rehearse::smpi {

class DescribedBuffer {
 public:
  // While the object exists, memory from `address` on has `bytes` bytes of elements of this type. Null: nothing is
  // known. The type outlives the object.
  DescribedBuffer(const void* address, std::uint64_t bytes, const DebugType* element);
  ~DescribedBuffer();
  DescribedBuffer(const DescribedBuffer&) = delete;
  DescribedBuffer& operator=(const DescribedBuffer&) = delete;

  // The object that describes this byte; null: none does.
  static const DescribedBuffer* find(std::uintptr_t address);

  std::uintptr_t begin() const { return begin_; }
  const DebugType& element() const { return *element_; }

 private:
  std::uintptr_t begin_;
  std::uint64_t bytes_;
  const DebugType* element_;
  const DescribedBuffer* outer_ = nullptr;
};

}  // namespace rehearse::smpi
