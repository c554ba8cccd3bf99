// SPDX-License-Identifier: MIT
//
// Memory for the operands of a function: elements in the layout of their type.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "smpi/datatype/datatype.hpp"
#include "smpi/datatype/pack.hpp"

namespace rehearse::smpi {

// The memory belongs to this object.
class LaidOut {
 public:
  LaidOut(const Datatype& type, std::int64_t count) : type_(type), count_(count) {
    const std::int64_t span = (count - 1) * type.extent();
    const std::int64_t low = std::min<std::int64_t>(span, 0) + type.true_lower_bound();
    const std::int64_t high = std::max<std::int64_t>(span, 0) + type.true_lower_bound() + type.true_extent();
    memory_.resize(static_cast<std::size_t>(high - low) + alignof(std::max_align_t));
    base_ = memory_.data() - low;
    // The data has the alignment that it has in a buffer that is aligned.
    const auto misaligned = reinterpret_cast<std::uintptr_t>(base_) % alignof(std::max_align_t);
    if (misaligned != 0) base_ += alignof(std::max_align_t) - misaligned;
  }

  void* fill(std::span<const std::byte> packed) {
    unpack(type_, count_, packed, base_);
    return base_;
  }

 private:
  const Datatype& type_;
  std::int64_t count_;
  std::vector<std::byte> memory_;
  std::byte* base_ = nullptr;
};

}  // namespace rehearse::smpi
