// SPDX-License-Identifier: MIT
//
// See file_view.hpp.
#include "smpi/file/file_view.hpp"

#include <algorithm>
#include <utility>

#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"
#include "smpi/datatype/external.hpp"
#include "smpi/datatype/table.hpp"
#include "smpi/rma/operation_message.hpp"

namespace rehearse::smpi {
namespace {

void append(std::vector<FileRange>& ranges, const FileRange& next) {
  if (next.bytes == 0) return;
  if (!ranges.empty() && ranges.back().end() == next.begin) ranges.back().bytes += next.bytes;
  else ranges.push_back(next);
}

// The blocks of one element, in the order of the data.
std::vector<FileRange> blocks_of_tile(const Datatype& type) {
  std::vector<FileRange> blocks;
  if (!type.committed()) return blocks;
  for (const TargetBlock& block : blocks_of(type, 1, nullptr))
    append(blocks, {static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(block.address)),
                    static_cast<std::int64_t>(block.count)});
  return blocks;
}

bool has_own_size(const Datatype& type, FileForm form) { return bytes_in_file(type, form) != type.size(); }

}  // namespace

std::int64_t bytes_in_file(const Datatype& type, FileForm form) {
  return form == FileForm::external32 ? external_size(type) : type.size();
}

FileView::FileView() {
  const ViewType byte{DatatypeRef(predefined_datatype(MPI_BYTE)), MPI_BYTE};
  *this = FileView(0, byte, byte, FileForm::native);
}

FileView::FileView(MPI_Offset displacement, ViewType etype, ViewType filetype, FileForm form)
    : displacement_(displacement),
      etype_(std::move(etype)),
      filetype_(std::move(filetype)),
      form_(form),
      etype_bytes_(bytes_in_file(*etype_.type, form)),
      tile_bytes_(bytes_in_file(*filetype_.type, form)),
      extent_(filetype_.type->extent()),
      blocks_(blocks_of_tile(*filetype_.type)) {
  if (has_own_size(*filetype_.type, form)) {  // without gaps
    extent_ = tile_bytes_;
    blocks_ = {{0, tile_bytes_}};
  }
  std::int64_t sum = 0;
  for (const FileRange& block : blocks_) {
    before_.push_back(sum);
    sum += block.bytes;
  }
  REHEARSE_ASSERT(sum == tile_bytes_, "the blocks of a filetype have its size");
}

std::int64_t FileView::place_of(std::int64_t position) const {
  if (tile_bytes_ == 0) return displacement_;
  const std::int64_t tile = position / tile_bytes_, rest = position % tile_bytes_;
  const auto block = std::upper_bound(before_.begin(), before_.end(), rest) - before_.begin() - 1;
  const auto index = static_cast<std::size_t>(block);
  return displacement_ + tile * extent_ + blocks_[index].begin + rest - before_[index];
}

std::vector<FileRange> FileView::ranges(std::int64_t position, std::int64_t bytes) const {
  std::vector<FileRange> found;
  if (tile_bytes_ == 0 || bytes <= 0) return found;
  if (blocks_.size() == 1 && blocks_[0].bytes == extent_) return {{place_of(position), bytes}};
  std::int64_t tile = position / tile_bytes_, rest = position % tile_bytes_;
  auto block = static_cast<std::size_t>(std::upper_bound(before_.begin(), before_.end(), rest) - before_.begin() - 1);
  std::int64_t skipped = rest - before_[block];
  while (bytes > 0) {
    const FileRange& here = blocks_[block];
    const std::int64_t taken = std::min(bytes, here.bytes - skipped);
    append(found, {displacement_ + tile * extent_ + here.begin + skipped, taken});
    bytes -= taken;
    skipped = 0;
    if (++block < blocks_.size()) continue;
    block = 0;
    ++tile;
  }
  return found;
}

std::int64_t FileView::position_of(std::int64_t place) const {
  const std::int64_t behind = place - displacement_;
  if (tile_bytes_ == 0 || behind <= 0) return 0;
  // Tiles that end before the place, then the rest: a tile may reach beyond the beginning of the next one.
  const std::int64_t reach = blocks_.back().end();
  std::int64_t tile = extent_ <= 0 ? 0 : std::max<std::int64_t>((behind - reach) / extent_, 0);
  std::int64_t sum = tile * tile_bytes_;
  for (;; ++tile) {
    const std::int64_t start = tile * extent_;
    if (start + blocks_.front().begin >= behind) return sum;
    for (const FileRange& block : blocks_)
      sum += std::clamp<std::int64_t>(behind - start - block.begin, 0, block.bytes);
    if (extent_ <= 0) return sum;
  }
}

std::string fault_of_view(const Datatype& etype, const Datatype& filetype, FileForm form, bool writable) {
  if (etype.size() == 0) return "the etype has no data";
  if (filetype.size() % etype.size() != 0)
    return fmt::format("the filetype has {} bytes of data, which are no whole number of etypes ({} bytes)",
                       filetype.size(), etype.size());
  if (filetype.lower_bound() < 0 || filetype.true_lower_bound() < 0)
    return "a displacement in the filetype is negative";
  const std::vector<FileRange> blocks = blocks_of_tile(filetype);
  std::int64_t end = 0, begin = 0;
  for (const FileRange& block : blocks) {
    if (block.begin < begin) return "the displacements in the filetype decrease";
    if (writable && block.begin < end) return "the filetype overlaps itself, and the file may be written";
    begin = block.begin;
    end = std::max(end, block.end());
  }
  if (writable && !blocks.empty() && filetype.extent() < end - blocks.front().begin && filetype.extent() <= 0)
    return "the copies of the filetype overlap, and the file may be written";
  if (has_own_size(filetype, form) && !filetype.contiguous())
    return "a filetype with gaps, of elements that have another size in external32, is not supported";
  return {};
}

bool overlap(std::span<const FileRange> a, std::span<const FileRange> b, FileRange& common) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const std::int64_t begin = std::max(a[i].begin, b[j].begin), end = std::min(a[i].end(), b[j].end());
    if (begin < end) {
      common = {begin, end - begin};
      return true;
    }
    if (a[i].end() <= b[j].end()) ++i;
    else ++j;
  }
  return false;
}

std::vector<FileRange> sorted(std::vector<FileRange> ranges) {
  std::ranges::sort(ranges, {}, &FileRange::begin);
  std::vector<FileRange> merged;
  for (const FileRange& range : ranges) {
    if (!merged.empty() && range.begin <= merged.back().end())
      merged.back().bytes = std::max(merged.back().end(), range.end()) - merged.back().begin;
    else merged.push_back(range);
  }
  return merged;
}

}  // namespace rehearse::smpi
