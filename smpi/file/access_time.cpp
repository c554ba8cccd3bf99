// SPDX-License-Identifier: MIT
//
// See access_time.hpp.
#include "smpi/file/access_time.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "simcore/actor.hpp"
#include "smpi/driver_services.hpp"
#include "smpi/library.hpp"
#include "smpi/request/request.hpp"

namespace rehearse::smpi {
namespace {

std::vector<FileExtent> first_of(std::span<const FileRange> ranges, std::int64_t bytes) {
  std::vector<FileExtent> extents;
  for (const FileRange& range : ranges) {
    if (bytes <= 0) break;
    const std::int64_t part = std::min(range.bytes, bytes);
    extents.push_back({static_cast<std::uint64_t>(range.begin), static_cast<std::uint64_t>(part)});
    bytes -= part;
  }
  return extents;
}

RequestId start_storage(std::span<const FileExtent> extents, bool writes, bool blocking) {
  const StorageAccess access{library().start_request(), writes, extents, blocking};
  ask(access);
  return access.request;
}

}  // namespace

void pass_access_time(std::span<const FileRange> ranges, std::int64_t bytes, bool writes) {
  if (!driver_services().has_disks || bytes <= 0) return;
  start_storage(first_of(ranges, bytes), writes, true);
}

void add_access_time(MPI_Request handle, std::span<const FileRange> ranges, std::int64_t bytes, bool writes) {
  if (!driver_services().has_disks || bytes <= 0) return;
  const RequestId time = start_storage(first_of(ranges, bytes), writes, false);
  Request& request = *find_request(handle);
  request.kind = Request::Kind::compound;
  request.more().take_answer = [apply = std::move(request.collective.apply)](std::span<const std::byte>) {
    return apply(Contributions(std::span<const Contributions::Data>()));
  };
  for (const RequestId id : {request.id, time}) {
    Piece piece;
    piece.id = id;
    request.more().pieces.push_back(std::move(piece));
  }
}

}  // namespace rehearse::smpi
