// SPDX-License-Identifier: MIT
//
// See described_buffer.hpp.
#include "smpi/described_buffer.hpp"

#include "smpi/per_rank.hpp"

namespace rehearse::smpi {
namespace {

struct DescribedBuffers {
  const DescribedBuffer* innermost = nullptr;
};

}  // namespace

DescribedBuffer::DescribedBuffer(const void* address, std::uint64_t bytes, const DebugType* element)
    : begin_(reinterpret_cast<std::uintptr_t>(address)), bytes_(bytes), element_(element) {
  if (element_ == nullptr) return;
  const DescribedBuffer*& innermost = per_rank<DescribedBuffers>().innermost;
  outer_ = innermost;
  innermost = this;
}

DescribedBuffer::~DescribedBuffer() {
  if (element_ != nullptr) per_rank<DescribedBuffers>().innermost = outer_;
}

const DescribedBuffer* DescribedBuffer::find(std::uintptr_t address) {
  const DescribedBuffers* all = find_per_rank<DescribedBuffers>();
  for (const DescribedBuffer* buffer = all == nullptr ? nullptr : all->innermost; buffer != nullptr;
       buffer = buffer->outer_)
    if (address - buffer->begin_ < buffer->bytes_) return buffer;
  return nullptr;
}

}  // namespace rehearse::smpi
