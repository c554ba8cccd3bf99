// SPDX-License-Identifier: MIT
//
// See file_view.hpp.
#include "smpi/file/file_view.hpp"

#include <algorithm>
#include <utility>

#include "simcore/support/assert.hpp"
#include "simcore/support/format.hpp"
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

}  // namespace

FileView::FileView() {
  const ViewType byte{DatatypeRef(predefined_datatype(MPI_BYTE)), MPI_BYTE};
  *this = FileView(0, byte, byte, native_form());
}

FileView::FileView(MPI_Offset displacement, ViewType etype, ViewType filetype, const DataForm& form)
    : displacement_(displacement), etype_(std::move(etype)), filetype_(std::move(filetype)), form_(&form) {
  if (!form.is_registered()) lay_out();
}

std::string FileView::settle() {
  if (is_settled_) return {};
  for (const ViewType* type : {&etype_, &filetype_})
    if (std::string error = form_->learn(*type->type); !error.empty()) return error;
  lay_out();
  return {};
}

void FileView::lay_out() {
  is_settled_ = true;
  tile_ = form_->type_in_file(*filetype_.type);
  etype_bytes_ = form_->bytes_of(*etype_.type);
  tile_bytes_ = form_->bytes_of(*filetype_.type);
  extent_ = tile_->extent();
  blocks_ = blocks_of_tile(*tile_);
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

std::string FileView::fault(bool writable) const {
  if (etype_bytes_ == 0) return "the etype has no data";
  if (tile_bytes_ % etype_bytes_ != 0)
    return fmt::format("the filetype has {} bytes of data, which are no whole number of etypes ({} bytes)", tile_bytes_,
                       etype_bytes_);
  if (tile_->lower_bound() < 0 || tile_->true_lower_bound() < 0) return "a displacement in the filetype is negative";
  std::int64_t end = 0, begin = 0;
  for (const FileRange& block : blocks_) {
    if (block.begin < begin) return "the displacements in the filetype decrease";
    if (writable && block.begin < end) return "the filetype overlaps itself, and the file may be written";
    begin = block.begin;
    end = std::max(end, block.end());
  }
  if (writable && !blocks_.empty() && extent_ < end - blocks_.front().begin && extent_ <= 0)
    return "the copies of the filetype overlap, and the file may be written";
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
