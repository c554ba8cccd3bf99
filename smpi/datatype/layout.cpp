// SPDX-License-Identifier: MIT
//
// Building layouts: adjacent blocks become one, repetitions of a block become a strided run.
#include "smpi/datatype/layout.hpp"

namespace rehearse::smpi {
namespace {

// A strided run whose blocks touch is one block.
Run simplified(Run run) {
  if (run.count > 1 && run.stride == run.bytes) {
    run.bytes *= run.count;
    run.count = 1;
  }
  if (run.count == 1) run.stride = 0;
  return run;
}

std::int64_t packed_bytes(std::span<const Run> runs) {
  std::int64_t total = 0;
  for (std::size_t i = 0; i < runs.size(); i += 1 + runs[i].body) total += runs[i].bytes * runs[i].count;
  return total;
}

// Merges `next` into `last`, if that is possible; returns whether it is.
bool absorb(Run& last, const Run& next) {
  if (last.count == 1 && next.count == 1 && last.offset + last.bytes == next.offset) {
    last.bytes += next.bytes;
    return true;
  }
  if (last.bytes != next.bytes) return false;
  const std::int64_t stride = next.offset - last.offset - (last.count - 1) * last.stride;
  if (last.count > 1 && stride != last.stride) return false;
  if (next.count > 1 && stride != next.stride) return false;
  last.stride = stride;
  last.count += next.count;
  return true;
}

}  // namespace

void LayoutBuilder::append_run(Run run) {
  if (runs_.size() > open_ && absorb(runs_.back(), run)) return;
  runs_.push_back(run);
}

void LayoutBuilder::append_once(std::span<const Run> item, std::int64_t offset) {
  for (std::size_t i = 0; i < item.size(); i += 1 + item[i].body) {
    Run run = item[i];
    run.offset += offset;
    if (run.body == 0) {
      append_run(run);
      continue;
    }
    const auto body = item.subspan(i + 1, run.body);  // relative to its run: needs no offset
    runs_.push_back(run);
    runs_.insert(runs_.end(), body.begin(), body.end());
    open_ = runs_.size();
  }
}

void LayoutBuilder::append(std::span<const Run> item, Repetition where) {
  if (item.empty() || where.times <= 0) return;
  if (where.times == 1) return append_once(item, where.offset);
  if (item.size() == 1) {
    Run run = item[0];
    const bool one_block = run.count == 1;
    if (one_block || where.stride == run.count * run.stride) {
      run.offset += where.offset;
      if (one_block) run.stride = where.stride;
      run.count *= where.times;
      return append_run(simplified(run));
    }
  }
  runs_.push_back({.offset = where.offset,
                   .bytes = packed_bytes(item),
                   .stride = where.stride,
                   .count = where.times,
                   .body = static_cast<std::uint32_t>(item.size())});
  runs_.insert(runs_.end(), item.begin(), item.end());
  open_ = runs_.size();
}

}  // namespace rehearse::smpi
