// SPDX-License-Identifier: MIT
//
// See operation_message.hpp.
#include "smpi/rma/operation_message.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

#include "smpi/datatype/table.hpp"
#include "smpi/op/kernels.hpp"
#include "smpi/rma/window.hpp"

namespace rehearse::smpi {
namespace {

void add_block(std::vector<TargetBlock>& blocks, TargetBlock block, std::uint64_t unit) {
  if (block.count == 0) return;
  if (!blocks.empty() && blocks.back().address + blocks.back().count * unit == block.address)
    blocks.back().count += block.count;
  else blocks.push_back(block);
}

void add_runs(std::span<const Run> runs, std::byte* base, std::vector<TargetBlock>& blocks) {
  for (std::size_t i = 0; i < runs.size(); i += 1 + runs[i].body) {
    const Run& run = runs[i];
    for (std::int64_t k = 0; k < run.count; ++k) {
      std::byte* at = base + run.offset + k * run.stride;
      if (run.body != 0) add_runs(runs.subspan(i + 1, run.body), at, blocks);
      else add_block(blocks, {at, static_cast<std::uint64_t>(run.bytes)}, 1);
    }
  }
}

void add_elements(const Datatype& type, std::byte* at, ElementBlocks& to) {
  if (const BasicType* basic = type.basic()) {
    to.differ |= to.element != nullptr && to.element != basic;
    to.element = basic;
    return add_block(to.blocks, {at, 1}, static_cast<std::uint64_t>(basic->extent));
  }
  for (const Part& part : type.parts())
    for (std::int64_t i = 0; i < part.count; ++i)
      for (std::int64_t k = 0; k < part.block; ++k)
        add_elements(*part.type, at + part.displacement + i * part.stride + k * part.type->extent(), to);
}

bool is_pair(const BasicType& type) { return type.first != MPI_DATATYPE_NULL; }

// Elements between their packed form and their form in memory.
class PackedElements {
 public:
  explicit PackedElements(const BasicType& type)
      : size_(static_cast<std::size_t>(type.size)), extent_(static_cast<std::size_t>(type.extent)), first_(size_) {
    if (!is_pair(type)) return;
    first_ = static_cast<std::size_t>(predefined_datatype(type.first)->size());
    second_ = static_cast<std::size_t>(type.second_offset);
  }

  // Leaves the gaps in elements.
  void unpack(const std::byte* packed, std::size_t count, std::byte* elements) const {
    if (!has_gaps()) std::memcpy(elements, packed, count * size_);
    for (; has_gaps() && count > 0; --count, packed += size_, elements += extent_) {
      std::memcpy(elements, packed, first_);
      std::memcpy(elements + second_, packed + first_, size_ - first_);
    }
  }
  void pack(const std::byte* elements, std::size_t count, std::byte* packed) const {
    if (!has_gaps()) std::memcpy(packed, elements, count * size_);
    for (; has_gaps() && count > 0; --count, packed += size_, elements += extent_) {
      std::memcpy(packed, elements, first_);
      std::memcpy(packed + first_, elements + second_, size_ - first_);
    }
  }

 private:
  bool has_gaps() const { return size_ != extent_; }

  std::size_t size_, extent_, first_, second_ = 0;
};

const BasicType& element_type(const OperationHeader& header) { return *predefined_datatype(header.element)->basic(); }

}  // namespace

std::vector<TargetBlock> blocks_of(const Datatype& type, MPI_Count count, std::byte* address) {
  std::vector<TargetBlock> blocks;
  if (type.size() == 0 || count == 0) return blocks;
  if (type.contiguous()) return {{address + type.layout()[0].offset, static_cast<std::uint64_t>(type.size() * count)}};
  for (MPI_Count i = 0; i < count; ++i) add_runs(type.layout(), address + i * type.extent(), blocks);
  return blocks;
}

ElementBlocks element_blocks_of(const Datatype& type, MPI_Count count, std::byte* address) {
  ElementBlocks result;
  if (const BasicType* basic = type.basic()) {
    result.element = basic;
    if (count > 0) result.blocks.push_back({address, static_cast<std::uint64_t>(count)});
    return result;
  }
  for (MPI_Count i = 0; i < count && !result.differ; ++i) add_elements(type, address + i * type.extent(), result);
  return result;
}

void shorten(std::vector<TargetBlock>& blocks, std::uint64_t bytes, std::uint64_t unit) {
  std::uint64_t left = bytes / unit;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    blocks[i].count = std::min(blocks[i].count, left);
    left -= blocks[i].count;
    if (left > 0) continue;
    blocks.resize(i + (blocks[i].count > 0 ? 1 : 0));
    return;
  }
}

std::vector<std::byte> make_message(OperationHeader header, std::span<const TargetBlock> blocks,
                                    std::span<const std::byte> data) {
  header.blocks = blocks.size();
  header.data_bytes = data.size();
  if (header.lent != nullptr) data = {};
  std::vector<std::byte> message(sizeof header + blocks.size_bytes() + data.size());
  std::memcpy(message.data(), &header, sizeof header);
  if (!blocks.empty()) std::memcpy(message.data() + sizeof header, blocks.data(), blocks.size_bytes());
  if (!data.empty()) std::memcpy(message.data() + sizeof header + blocks.size_bytes(), data.data(), data.size());
  return message;
}

OperationView::OperationView(std::span<const std::byte> message) : message_(message) {
  std::memcpy(&header_, message.data(), sizeof header_);
}

std::uint64_t OperationView::bytes() const {
  return sizeof header_ + header_.blocks * sizeof(TargetBlock) + (has_data() ? header_.data_bytes : 0);
}

TargetBlock OperationView::block(std::uint64_t index) const {
  TargetBlock block;
  std::memcpy(&block, message_.data() + sizeof header_ + index * sizeof block, sizeof block);
  return block;
}

std::uint64_t OperationView::bytes_of(const TargetBlock& block) const {
  return is_atomic(header_.deed) ? block.count * static_cast<std::uint64_t>(element_type(header_).extent) : block.count;
}

std::span<const std::byte> OperationView::data() const {
  if (header_.lent != nullptr) return header_.lent->bytes;
  return message_.subspan(sizeof header_ + header_.blocks * sizeof(TargetBlock), has_data() ? header_.data_bytes : 0);
}

void OperationView::append_as_stored(std::vector<std::byte>& to) const {
  OperationHeader header = header_;
  header.lent = nullptr;
  header.is_stored = 1;
  const auto bytes = std::as_bytes(std::span(&header, 1));
  const auto blocks = message_.subspan(sizeof header_, header_.blocks * sizeof(TargetBlock));
  to.insert(to.end(), bytes.begin(), bytes.end());
  to.insert(to.end(), blocks.begin(), blocks.end());
}

// Through aligned memory, because neither side needs to be aligned.
void OperationView::combine(const TargetBlock& block, std::span<const std::byte> values) const {
  const BasicType& type = element_type(header_);
  const PackedElements packed(type);
  if (header_.op == OpCode::replace) return packed.unpack(values.data(), block.count, block.address);
  constexpr std::size_t bytes_at_once = 4096;
  alignas(16) std::array<std::byte, bytes_at_once> operands = {}, results;
  const auto size = static_cast<std::size_t>(type.size), extent = static_cast<std::size_t>(type.extent);
  const std::size_t at_once = bytes_at_once / extent;
  for (std::uint64_t done = 0; done < block.count; done += at_once) {
    const std::size_t count = std::min<std::uint64_t>(at_once, block.count - done);
    std::byte* place = block.address + done * extent;
    packed.unpack(values.data() + done * size, count, operands.data());
    std::memcpy(results.data(), place, count * extent);
    apply_predefined(header_.op, type, static_cast<std::int64_t>(count), operands.data(), results.data());
    std::memcpy(place, results.data(), count * extent);
  }
}

void OperationView::swap(std::byte* place) const {
  const auto size = static_cast<std::size_t>(element_type(header_).size);
  if (std::memcmp(place, data().data(), size) == 0) std::memcpy(place, data().data() + size, size);
}

void OperationView::carry_out(std::vector<std::byte>& answer) const {
  if (header_.is_stored != 0) return;
  const std::size_t before = answer.size();
  if (has_answer(header_.deed)) answer.resize(before + header_.answer_bytes);
  std::byte* out = answer.data() + before;
  std::span<const std::byte> values = data();
  for (std::uint64_t i = 0; i < header_.blocks; ++i) {
    const TargetBlock at = block(i);
    if (header_.deed == Deed::get) {
      std::memcpy(out, at.address, at.count);
      out += at.count;
    } else if (header_.deed == Deed::put) {
      std::memcpy(at.address, values.data(), at.count);
      values = values.subspan(at.count);
    } else {
      const BasicType& type = element_type(header_);
      const auto size = static_cast<std::size_t>(type.size);
      if (has_answer(header_.deed)) {
        PackedElements(type).pack(at.address, at.count, out);
        out += at.count * size;
      }
      if (header_.deed == Deed::swap) {
        swap(at.address);
      } else if (header_.op != OpCode::no_op) {
        combine(at, values);
        values = values.subspan(at.count * size);
      }
    }
  }
}

namespace {

// Whether attached regions cover all these bytes: one of them, or several that follow each other without a gap.
bool are_attached(const Window& window, const std::byte* begin, std::uint64_t bytes) {
  const std::byte* const end = begin + bytes;
  auto after = window.attached.upper_bound(const_cast<std::byte*>(begin));
  if (after == window.attached.begin()) return false;
  const std::byte* covered = std::prev(after)->first + std::prev(after)->second;
  for (; covered < end && after != window.attached.end() && after->first == covered; ++after) covered += after->second;
  return end <= covered;
}

}  // namespace

bool is_attached(const Window& window, const OperationView& operation) {
  for (std::uint64_t i = 0; i < operation.header().blocks; ++i) {
    const TargetBlock block = operation.block(i);
    if (!are_attached(window, block.address, operation.bytes_of(block))) return false;
  }
  return true;
}

bool are_same_replacement(const OperationView& a, const OperationView& b) {
  const auto replaces_one_block = [](const OperationView& view) {
    const OperationHeader& header = view.header();
    return header.deed == Deed::accumulate && header.op == OpCode::replace && header.blocks == 1;
  };
  if (!replaces_one_block(a) || !replaces_one_block(b) || a.header().element != b.header().element) return false;
  const TargetBlock one = a.block(0), other = b.block(0);
  return one.address == other.address && one.count == other.count && std::ranges::equal(a.data(), b.data());
}

}  // namespace rehearse::smpi
